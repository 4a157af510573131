package org.freshet.channel.socket.oio;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.freshet.channel.Channel;
import org.freshet.testing.Await;
import org.freshet.testing.Echo;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.jboss.netty.bootstrap.ClientBootstrap;
import org.jboss.netty.bootstrap.ServerBootstrap;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.channel.ChannelEvent;
import org.jboss.netty.channel.ChannelHandlerContext;
import org.jboss.netty.channel.ChannelStateEvent;
import org.jboss.netty.channel.ChannelUpstreamHandler;
import org.jboss.netty.channel.Channels;
import org.jboss.netty.channel.MessageEvent;
import org.jboss.netty.channel.socket.oio.OioClientSocketChannelFactory;
import org.jboss.netty.channel.socket.oio.OioServerSocketChannelFactory;
import org.junit.jupiter.api.Test;

/** Compared with Netty 3's blocking transport, using the same peer and equivalent handlers, and connected to it. */
class Netty3OrderTest {
    /** Netty 3's counterpart of {@link Echo}. */
    private static final class NettyEcho implements ChannelUpstreamHandler {
        final List<String> events = new CopyOnWriteArrayList<>();
        final CountDownLatch closed = new CountDownLatch(1);

        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
            if (e instanceof MessageEvent message) {
                events.add("message");
                ctx.getChannel().write(message.getMessage());
            } else if (e instanceof ChannelStateEvent state) {
                record(state);
            }
        }

        private void record(ChannelStateEvent e) {
            boolean on = e.getValue() != null && !Boolean.FALSE.equals(e.getValue());
            switch (e.getState()) {
                case OPEN -> events.add(on ? "open" : "closed");
                case BOUND -> events.add(on ? "bound" : "unbound");
                case CONNECTED -> events.add(on ? "connected" : "disconnected");
                case INTEREST_OPS -> events.add("interest");
            }
            if (events.contains("closed")) {
                closed.countDown();
            }
        }
    }

    @Test
    void shouldFireTheSameEventsOnAServersConnection() throws IOException {
        NettyEcho expected = new NettyEcho();
        ServerBootstrap netty = new ServerBootstrap(
                new OioServerSocketChannelFactory(Executors.newCachedThreadPool(), Executors.newCachedThreadPool()));
        netty.setPipelineFactory(() -> Channels.pipeline(expected));
        org.jboss.netty.channel.Channel nettyServer =
                netty.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        try {
            play(nettyServer.getLocalAddress());
            Await.latch(expected.closed, "the close of Netty's connection");
        } finally {
            nettyServer.close().awaitUninterruptibly();
            netty.releaseExternalResources();
        }
        try (Rig rig = Transport.PLATFORM_THREADS.rig()) {
            Echo actual = new Echo();
            play(rig.listen(() -> actual).getLocalAddress());
            List<String> events = new ArrayList<>(actual.awaitClosed().events());
            events.removeIf("written"::equals);
            assertEquals(expected.events, events);
        }
    }

    private static void play(SocketAddress address) throws IOException {
        try (ScriptedPeer peer = ScriptedPeer.connect(address)) {
            peer.send("one").readText(3);
            peer.send("two").readText(3);
        }
    }

    @Test
    void shouldServeANetty3Client() {
        try (Rig rig = Transport.DEFAULT_THREADS.rig()) {
            Recorder child = new Recorder();
            Channel server = rig.listen(() -> child);
            ClientBootstrap netty =
                    new ClientBootstrap(new OioClientSocketChannelFactory(Executors.newCachedThreadPool()));
            netty.setPipelineFactory(() -> Channels.pipeline(new NettyEcho()));
            org.jboss.netty.channel.Channel client = netty.connect(server.getLocalAddress())
                    .awaitUninterruptibly()
                    .getChannel();
            client.write(ChannelBuffers.wrappedBuffer("from Netty 3".getBytes()));
            child.awaitText("from Netty 3");
            client.close().awaitUninterruptibly();
            child.awaitClosed();
            netty.releaseExternalResources();
            assertEquals("from Netty 3", child.text());
        }
    }
}
