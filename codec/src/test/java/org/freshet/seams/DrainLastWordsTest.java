package org.freshet.seams;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.freshet.bootstrap.Drain;
import org.freshet.bootstrap.DrainReport;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.testing.Await;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.Test;

/** How a drain reports output that a handler sends at the last moment, and output that can't be sent. */
class DrainLastWordsTest {
    private static final int MUCH = 32 * 1024 * 1024;

    private static CompletableFuture<DrainReport> drain(Rig rig) {
        return Drain.of(rig.server())
                .quietPeriod(Duration.ofMillis(1))
                .deadline(Duration.ofSeconds(20))
                .start();
    }

    private static Rig serve(SimpleChannelUpstreamHandler handler) {
        Rig rig = new Rig(new NioServerSocketChannelFactory(1), new NioClientSocketChannelFactory());
        rig.server().setPipelineFactory(() -> Channels.pipeline(handler));
        return rig;
    }

    private static Channel bind(Rig rig) {
        return rig.server().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @Test
    void shouldCountAGoodbyeWrittenBeforeTheCloseAsSent() throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        SimpleChannelUpstreamHandler polite = new SimpleChannelUpstreamHandler() {
            @Override
            public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
                connected.countDown();
            }

            @Override
            public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
                if (e instanceof DrainEvent) {
                    e.getChannel().write(ChannelBuffers.copiedBuffer("bye\n", US_ASCII));
                    e.getChannel().close();
                }
                super.handleUpstream(ctx, e);
            }
        };
        try (Rig rig = serve(polite)) {
            Channel server = bind(rig);
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                Await.latch(connected, "the connection");
                CompletableFuture<DrainReport> drained = drain(rig);
                assertEquals("bye", peer.readLine());
                DrainReport report = Await.result(drained, "the drain");
                assertTrue(report.isClean(), report::toString);
            }
        }
    }

    @Test
    void shouldReportOutputThatAResetKeepsFromBeingSent() throws Exception {
        CountDownLatch written = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        SimpleChannelUpstreamHandler generous = new SimpleChannelUpstreamHandler() {
            @Override
            public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
                if (e instanceof DrainEvent) {
                    begun.countDown();
                }
                super.handleUpstream(ctx, e);
            }

            @Override
            public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
                e.getChannel().setReadable(false);
                e.getChannel().write(ChannelBuffers.wrappedBuffer(new byte[MUCH]));
                written.countDown();
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {}
        };
        try (Rig rig = serve(generous)) {
            Channel server = bind(rig);
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress(), 8 * 1024)) {
                Await.latch(written, "the output");
                CompletableFuture<DrainReport> drained = drain(rig);
                Await.latch(begun, "the start of the drain");
                peer.reset();
                DrainReport report = Await.result(drained, "the drain");
                assertFalse(report.isClean(), report::toString);
            }
        }
    }
}
