package org.freshet.handler.ssl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.Await;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A thread closes a blocking channel while the reader sends protocol messages. One leaves the rest to the other, so
 * that the peer gets the close_notify within a time limit.
 */
@Tag("crypto")
class TlsCloseRaceTest extends TlsSockets {
    private final ManualTimer timer = new ManualTimer();
    private final Socket socket = new Socket();

    TlsCloseRaceTest() {
        super(Transport.OIO);
    }

    /** Once armed, accepts no record until the test says so or the channel closes. The first handler. */
    private static final class Socket implements ChannelDownstreamHandler, ChannelUpstreamHandler {
        final CountDownLatch full = new CountDownLatch(1);
        final CountDownLatch room = new CountDownLatch(1);
        final AtomicInteger reads = new AtomicInteger();
        private final BlockingQueue<String> sent = new LinkedBlockingQueue<>();
        private volatile boolean isArmed;

        void arm() {
            isArmed = true;
        }

        List<String> sent() {
            return List.copyOf(sent);
        }

        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
            if (isArmed && e instanceof MessageEvent) {
                reads.incrementAndGet();
            }
            ctx.sendUpstream(e);
        }

        @Override
        public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) {
            if (isArmed && e instanceof MessageEvent) {
                full.countDown();
                Await.latch(room, "room in the socket");
                sent.add("record");
            } else if (isArmed && e instanceof ChannelStateEvent) {
                sent.add("close");
                room.countDown();
            }
            ctx.sendDownstream(e);
        }
    }

    private static SSLServerSocket listen() throws Exception {
        return (SSLServerSocket) jdk(Certificates.server())
                .getServerSocketFactory()
                .createServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    /** Connects, and returns when the reader's answer to a key update has found the socket full. */
    private Channel connectToPeerThatAsks(SSLServerSocket listening, CompletableFuture<SSLSocket> accepting)
            throws Exception {
        SslContext context =
                Certificates.client().protocols("TLSv1.3").timer(timer).build();
        SslHandler handler = context.newHandler("localhost", 1);
        Channel client = connect(listening.getLocalPort(), handler, new SimpleChannelUpstreamHandler());
        Await.success(handler.handshake(), "a handshake");
        SSLSocket peer = Await.result(accepting, "the other side's handshake");
        Await.until(timer.pending::isEmpty, "the end of the handshake's limit");
        client.getPipeline().addFirst("socket", socket);
        socket.arm();
        peer.startHandshake();
        Await.latch(socket.full, "the reader's answer");
        return client;
    }

    @Test
    void shouldSendTheCloseNotifyAfterARecordOfTheReader() throws Exception {
        try (SSLServerSocket listening = listen()) {
            CompletableFuture<SSLSocket> accepting =
                    CompletableFuture.supplyAsync(() -> shakeHands(listening), threads);
            Channel client = connectToPeerThatAsks(listening, accepting);
            ChannelFuture closed = client.close();
            assertEquals(1, timer.pending.size());
            assertFalse(closed.isDone());
            socket.room.countDown();
            Await.success(closed, "the close");
            assertEquals(List.of("record", "record", "close"), socket.sent());
            Await.until(timer.pending::isEmpty, "the end of the limit");
            accepting.join().close();
        }
    }

    @Test
    void shouldCloseInTimeWhenThePeerDoesNotReadTheRecordOfTheReader() throws Exception {
        try (SSLServerSocket listening = listen()) {
            CompletableFuture<SSLSocket> accepting =
                    CompletableFuture.supplyAsync(() -> shakeHands(listening), threads);
            Channel client = connectToPeerThatAsks(listening, accepting);
            ChannelFuture closed = client.close();
            timer.expire();
            Await.success(closed, "the close");
            assertEquals("close", socket.sent().get(0));
            Await.until(timer.pending::isEmpty, "the end of the limit");
            accepting.join().close();
        }
    }

    /** Runs an action in the step that reads the end of the handshake. */
    private static final class HookedEngine extends FaultyEngine {
        private final Runnable onFinished;

        HookedEngine(SSLEngine engine, Runnable onFinished) {
            super(engine);
            this.onFinished = onFinished;
        }

        @Override
        public SSLEngineResult unwrap(ByteBuffer source, ByteBuffer[] targets, int offset, int length)
                throws SSLException {
            SSLEngineResult result = super.unwrap(source, targets, offset, length);
            if (result.getHandshakeStatus() == HandshakeStatus.FINISHED) {
                onFinished.run();
            }
            return result;
        }
    }

    /** The reader finds the close request when it ends its step, and encrypts the close_notify. */
    @Test
    void shouldLeaveTheCloseNotifyToTheThreadThatCloses() throws Exception {
        CompletableFuture<Channel> accepted = new CompletableFuture<>();
        Channel server = serve(Certificates.server().protocols("TLSv1.2"), new SimpleChannelUpstreamHandler() {
            @Override
            public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
                accepted.complete(ctx.getChannel());
            }
        });
        CompletableFuture<Channel> client = new CompletableFuture<>();
        Thread closer = new Thread(() -> client.join().close());
        SSLEngine engine = new HookedEngine(
                Certificates.client().protocols("TLSv1.2").build().newEngine("localhost", 1), () -> {
                    socket.arm();
                    closer.start();
                    Await.until(() -> closer.getState() == Thread.State.WAITING, "the close to wait for the step");
                });
        SslHandler handler = new SslHandler(engine);
        handler.setIssueHandshake(false);
        client.complete(connect(port(server), handler, new SimpleChannelUpstreamHandler()));
        client.join().getPipeline().addFirst("socket", socket);
        handler.handshake()
                .addListener(
                        done -> { // by the reader, after its step
                            Await.latch(socket.full, "the other thread to send the close_notify");
                        });
        Await.latch(socket.full, "the close_notify");
        Await.result(accepted, "the server's connection").write(ChannelBuffers.wrappedBuffer(new byte[1]));
        Await.until(() -> socket.reads.get() > 0 || !client.join().isOpen(), "the reader to read on");
        assertTrue(client.join().isOpen());
        socket.room.countDown();
        Await.success(client.join().getCloseFuture(), "the close");
        assertEquals("record", socket.sent().get(0));
        Await.end(closer);
    }
}
