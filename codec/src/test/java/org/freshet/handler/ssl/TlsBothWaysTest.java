package org.freshet.handler.ssl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.SocketException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.internal.request.SerialChannel;
import org.freshet.testing.Await;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Both sides send more than the system's buffers hold, before the handshake or right after it. A reader must never wait
 * for a write to the peer: the peer may be unable to read until this side has read.
 */
@Tag("crypto")
@ParameterizedClass
@EnumSource(Transport.class)
class TlsBothWaysTest extends TlsSockets {
    private static final int MUCH = 16_000_000;

    private final BlockingQueue<Channel> connected = new LinkedBlockingQueue<>();
    private final byte[] sent = randomBytes(MUCH);

    TlsBothWaysTest(Transport transport) {
        super(transport);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void shouldSendWritesOfBothSidesFromBeforeTheHandshake(String protocol) throws Exception {
        Bin atServer = new Bin();
        Channel server = serve(Certificates.server().protocols(protocol), atServer);
        Bin atClient = new Bin();
        Channel client = connect(port(server), clientHandler(protocol), atClient);
        Channel serverSide = connected.poll(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        ChannelFuture answered = serverSide.write(message()); // waits for the client to begin
        ChannelFuture asked = client.write(message());
        atServer.awaitAll();
        atClient.awaitAll();
        Await.success(answered, "the server's write");
        Await.success(asked, "the client's write");
        Await.success(client.close(), "a close");
    }

    /** The I/O threads write as soon as there is a connection, and have to read, too. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void shouldSendWritesThatHandlersMadeWhenConnected(String protocol) throws Exception {
        Bin atServer = new Greeter();
        Channel server = serve(Certificates.server().protocols(protocol), atServer);
        Bin atClient = new Greeter();
        Channel client = connect(port(server), clientHandler(protocol), atClient);
        atServer.awaitAll();
        atClient.awaitAll();
        Await.success(client.close(), "a close");
    }

    /** The peer reads nothing before it has sent everything. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void shouldSendWritesFromBeforeTheHandshakeToAPeerThatSendsFirst(String protocol) throws Exception {
        try (SSLServerSocket listening = listen()) {
            CompletableFuture<byte[]> peer =
                    CompletableFuture.supplyAsync(() -> sendAndThenReceive(listening, false), threads);
            Bin atClient = new Bin();
            Channel client = connect(listening.getLocalPort(), clientHandler(protocol), atClient);
            ChannelFuture asked = client.write(message());
            atClient.awaitAll();
            assertArrayEquals(sent, Await.result(peer, "the peer to receive"));
            Await.success(asked, "the client's write");
            Await.success(client.close(), "a close");
        }
    }

    /** An answer that the reader has to send by itself, a key update, does not wait for another thread's write. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void shouldKeepReadingWhenAPeerThatDoesNotReadRequestsAnAnswer(String protocol) throws Exception {
        try (SSLServerSocket listening = listen()) {
            CompletableFuture<byte[]> peer =
                    CompletableFuture.supplyAsync(() -> sendAndThenReceive(listening, true), threads);
            Bin atClient = new Bin();
            SslHandler handler = clientHandler(protocol);
            handler.setEnableRenegotiation(true);
            Channel client = connect(listening.getLocalPort(), handler, atClient);
            Await.success(handler.handshake(), "a handshake");
            CompletableFuture<ChannelFuture> asking =
                    CompletableFuture.supplyAsync(() -> client.write(message()), threads);
            atClient.awaitAll();
            assertArrayEquals(sent, Await.result(peer, "the peer to receive"));
            Await.success(Await.result(asking, "the end of writing"), "the client's write");
            Await.success(client.close(), "a close");
        }
    }

    /** Writes are not cut short after the writer has returned, either. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void shouldSendWritesFromBeforeTheHandshakeBeforeAClose(String protocol) throws Exception {
        for (int round = 0; round < Seeds.rounds(8); round++) {
            try (SSLServerSocket listening = listen()) {
                threads.execute(() -> drain(listening));
                SslHandler handler = clientHandler(protocol);
                Channel client = connect(listening.getLocalPort(), handler, new Bin());
                ChannelFuture asked = client.write(ChannelBuffers.wrappedBuffer(sent, 0, 60_000));
                Await.success(handler.handshake(), "a handshake");
                ChannelFuture closed = client.close();
                Await.success(asked, "the write before the close");
                Await.success(closed, "a close");
            }
        }
    }

    /** A blocking channel is closed by force if a peer does not read within the time limit of a handshake. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotWaitForeverForAPeerThatDoesNotRead(boolean closedEarly) throws Exception {
        ManualTimer timer = new ManualTimer();
        try (SSLServerSocket listening = listen()) {
            CompletableFuture<SSLSocket> accepting =
                    CompletableFuture.supplyAsync(() -> shakeHands(listening), threads);
            SslHandler handler = Certificates.client().timer(timer).build().newHandler("localhost", 1);
            handler.setIssueHandshake(false);
            CountDownLatch begun = new CountDownLatch(1);
            Bin bin = new Bin();
            Channel client = connect(listening.getLocalPort(), handler, bin);
            client.getPipeline().addFirst("count", countingDown(begun)); // nothing is sent before the first write
            ChannelFuture asked = Channels.future(client);
            // the writer itself waits for the peer if the handshake has ended by then
            threads.execute(() -> Channels.write(client.getPipeline().getContext(bin), asked, message()));
            Await.latch(begun, "the handshake's first message");
            ChannelFuture closed = closedEarly ? client.close() : null;
            try (SSLSocket silent = Await.result(accepting, "the other side's handshake")) {
                Await.success(handler.handshake(), "a handshake");
                ChannelFuture closing = closedEarly ? closed : client.close();
                Await.until(() -> closing.isDone() || timer.pending.size() == 1, "a time limit");
                timer.expire();
                Await.success(closing, "a close");
                Await.failure(asked, "the write");
                Await.until(timer.pending::isEmpty, "the end of the limit");
                assertFalse(silent.isClosed());
            }
        }
    }

    private static ChannelDownstreamHandler countingDown(CountDownLatch sent) {
        return (ctx, e) -> {
            if (e instanceof MessageEvent) {
                sent.countDown();
            }
            ctx.sendDownstream(e);
        };
    }

    /** The peer does not even make room for the close_notify, while nothing else is being sent. */
    @Test
    void shouldLimitTheTimeForTheCloseNotify() throws Exception {
        ManualTimer timer = new ManualTimer();
        CountDownLatch closed = new CountDownLatch(1);
        AtomicBoolean full = new AtomicBoolean();
        ChannelDownstreamHandler socket = (ctx, e) -> {
            if (e instanceof MessageEvent && full.get()) {
                Await.latch(closed, "the socket to be closed");
            } else if (e instanceof ChannelStateEvent) {
                closed.countDown();
            }
            ctx.sendDownstream(e);
        };
        Channel server = serve(Certificates.server(), new Bin());
        SslHandler handler = Certificates.client().timer(timer).build().newHandler("localhost", 1);
        handler.setIssueHandshake(false);
        Channel client = connect(port(server), handler, new Bin());
        client.getPipeline().addFirst("socket", socket);
        Await.success(handler.handshake(), "a handshake");
        Await.until(timer.pending::isEmpty, "the end of the handshake's limit");
        SslHandler serverSide = accepted.poll(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        Await.success(serverSide.handshake(), "the server's handshake, after the client has sent its last flight");
        full.set(true);
        CompletableFuture<ChannelFuture> closing = CompletableFuture.supplyAsync(client::close, threads);
        if (client instanceof SerialChannel) { // others do not block in a socket
            Await.until(() -> !timer.pending.isEmpty(), "a time limit");
            timer.expire();
        } else {
            closed.countDown();
        }
        Await.success(client.getCloseFuture(), "the close");
        Await.success(Await.result(closing, "the end of the call"), "the close");
        Await.until(timer.pending::isEmpty, "the end of the limit");
    }

    // ---- helpers ----

    private ChannelBuffer message() {
        return ChannelBuffers.wrappedBuffer(sent);
    }

    /** A client that starts the handshake with its first write. */
    private static SslHandler clientHandler(String protocol) throws SSLException {
        SslHandler handler = Certificates.client().protocols(protocol).build().newHandler("localhost", 1);
        handler.setIssueHandshake(false);
        return handler;
    }

    private static SSLServerSocket listen() throws IOException {
        return (SSLServerSocket) ((JdkSslContext) Certificates.server().build())
                .context()
                .getServerSocketFactory()
                .createServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    private byte[] sendAndThenReceive(SSLServerSocket listening, boolean asksForNewKeys) {
        try (SSLSocket socket = shakeHands(listening)) {
            if (asksForNewKeys && socket.getSession().getProtocol().equals("TLSv1.3")) {
                socket.startHandshake();
            }
            socket.getOutputStream().write(sent);
            return socket.getInputStream().readNBytes(MUCH);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Reads until the end, which may be a reset: session tickets are unread when the connection is closed. */
    private static void drain(SSLServerSocket listening) {
        try (SSLSocket socket = shakeHands(listening)) {
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            assertInstanceOf(SocketException.class, e);
        }
    }

    /** Collects the received bytes of one connection. */
    private class Bin extends SimpleChannelUpstreamHandler {
        private final ChannelBuffer received = ChannelBuffers.buffer(MUCH);
        private final CountDownLatch complete = new CountDownLatch(1);

        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
            if (e.getChannel().getParent() != null) {
                connected.add(e.getChannel());
            }
            super.channelConnected(ctx, e);
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            received.writeBytes((ChannelBuffer) e.getMessage());
            if (!received.writable()) {
                complete.countDown();
            }
        }

        void awaitAll() {
            Await.latch(complete, "all bytes");
            assertArrayEquals(sent, received.array());
        }
    }

    private final class Greeter extends Bin {
        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
            e.getChannel().write(message());
            super.channelConnected(ctx, e);
        }
    }
}
