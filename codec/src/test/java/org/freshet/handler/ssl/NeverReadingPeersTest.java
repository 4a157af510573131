package org.freshet.handler.ssl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteOverflow;
import org.freshet.channel.WriteOverflowException;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Peers that send requests and never read, next to one that does. The test counts what the server holds for each. With
 * {@code -Xmx64m -Dfreshet.test.crowd=200} the server would need more than five times the heap without the limit.
 */
@Tag("crypto")
class NeverReadingPeersTest {
    private static final int PEERS = Integer.getInteger("freshet.test.crowd", 4);
    private static final int LIMIT = 128 * 1024;

    /** The heap for which the limit is meant, with the crowd below. */
    private static final long HEAP = 64L * 1024 * 1024;

    private static final int CROWD = 200;
    private static final int PIECE = 16 * 1024;

    /** The pieces of an answer: more than the limit and the system's buffers hold. */
    private static final int PIECES = 256;

    /** The most that TLS adds to a message, plus one small message, which is always accepted. */
    private static final int OVERHEAD = PIECE;

    private final NioServerSocketChannelFactory servers = new NioServerSocketChannelFactory(2);
    private final List<Socket> peers = new ArrayList<>();
    private final AtomicLong mostBytes = new AtomicLong();
    private final CountDownLatch overflows = new CountDownLatch(PEERS);

    @AfterEach
    void release() throws Exception {
        for (Socket peer : peers) {
            peer.close();
        }
        servers.releaseExternalResources();
    }

    /** Echoes, but answers a G with more than the limit allows to hold. */
    @Sharable
    private final class Generous extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            ChannelBuffer request = (ChannelBuffer) e.getMessage();
            if (request.getByte(request.readerIndex()) == 'G') {
                answer(e.getChannel());
            } else {
                e.getChannel().write(request);
            }
        }

        private void answer(Channel channel) {
            AtomicReference<Throwable> failure = new AtomicReference<>();
            for (int i = 0; i < PIECES; i++) {
                ChannelFuture written = channel.write(ChannelBuffers.wrappedBuffer(new byte[PIECE]));
                written.addListener(done -> {
                    if (!done.isSuccess() && failure.compareAndSet(null, done.getCause())) {
                        onOverflow(done);
                    }
                });
                mostBytes.accumulateAndGet(WriteAccount.waitingBytes(channel), Math::max);
            }
        }
    }

    private volatile WriteOverflow policy = WriteOverflow.CLOSE;
    private volatile int limit = LIMIT;

    private void onOverflow(ChannelFuture failed) {
        if (limit == 0) {
            return; // the end of the test
        }
        if (policy == WriteOverflow.FAIL) {
            assertInstanceOf(WriteOverflowException.class, failed.getCause());
        } else {
            ChannelClosedException closed = assertInstanceOf(ChannelClosedException.class, failed.getCause());
            assertEquals(Kind.OVERFLOW, closed.getReason().kind());
        }
        overflows.countDown();
    }

    private Channel serve(boolean isTls) throws Exception {
        SslContext context = Certificates.server().build();
        Generous generous = new Generous();
        ServerBootstrap bootstrap = new ServerBootstrap(servers);
        bootstrap.setPipelineFactory(() -> {
            ChannelPipeline pipeline = Channels.pipeline();
            if (isTls) {
                pipeline.addLast("tls", context.newHandler());
            }
            pipeline.addLast("generous", generous);
            return pipeline;
        });
        bootstrap.setOption("child.sendBufferSize", 8 * 1024);
        bootstrap.setOption("child.writeBufferLimit", limit);
        bootstrap.setOption("child.writeOverflow", policy);
        return bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    private Socket connect(Channel server, boolean isTls) throws Exception {
        Socket socket = isTls ? TlsSockets.socket(server) : new Socket();
        peers.add(socket);
        if (!isTls) {
            socket.setReceiveBufferSize(8 * 1024);
            socket.connect(server.getLocalAddress());
        }
        socket.setSoTimeout((int) Await.LIMIT.toMillis());
        return socket;
    }

    private static void exchange(Socket healthy, int rounds) throws Exception {
        for (int i = 0; i < rounds; i++) {
            healthy.getOutputStream().write('e');
            assertEquals('e', healthy.getInputStream().read());
        }
    }

    @ParameterizedTest
    @CsvSource({"false, CLOSE", "true, CLOSE", "false, FAIL", "true, FAIL"})
    void shouldLimitTheCostOfPeersThatNeverReadAndServeTheOthers(boolean isTls, WriteOverflow chosen) throws Exception {
        policy = chosen;
        Channel server = serve(isTls);
        Socket healthy = connect(server, isTls);
        exchange(healthy, 1);
        for (int i = 0; i < PEERS; i++) {
            connect(server, isTls).getOutputStream().write('G');
            exchange(healthy, 1);
        }
        Await.latch(overflows, "an overflow of each peer");
        exchange(healthy, 20);
        assertTrue(mostBytes.get() > LIMIT / 2, () -> "the peers have read something: " + mostBytes);
        assertTrue(mostBytes.get() <= LIMIT + OVERHEAD, () -> "more is queued than the limit: " + mostBytes);
    }

    /** Makes sure that the other test does not pass because there was too little to hold. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldHoldMoreForACrowdThanTheHeapAllowsWithoutTheLimit(boolean isTls) throws Exception {
        limit = 0;
        Channel server = serve(isTls);
        connect(server, isTls).getOutputStream().write('G');
        Await.until(() -> mostBytes.get() * CROWD > 5 * HEAP, () -> "held for one peer: " + mostBytes);
    }
}
