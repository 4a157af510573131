package org.freshet.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.freshet.bootstrap.ConnectionlessBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioDatagramChannelFactory;
import org.freshet.channel.socket.oio.OioDatagramChannelFactory;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A program may still ask for connections while it shuts down: it gets failed futures, as in Netty 3, and no exception.
 */
class AfterShutdownMatrixTest {
    private static final SocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final SocketAddress PEER = new InetSocketAddress(InetAddress.getLoopbackAddress(), 9);

    enum Datagrams {
        NIO(NioDatagramChannelFactory::new),
        OIO(OioDatagramChannelFactory::new);

        final Supplier<ChannelFactory> factory;

        Datagrams(Supplier<ChannelFactory> factory) {
            this.factory = factory;
        }
    }

    private static void assertShutDown(ChannelFuture future) {
        Throwable cause = Await.failure(future, "the refusal");
        assertEquals(
                CloseReason.Kind.SHUTDOWN,
                assertInstanceOf(ChannelClosedException.class, cause)
                        .getReason()
                        .kind());
        Channel channel = future.getChannel();
        assertFalse(channel.isOpen());
        Await.success(channel.close(), "a close of a closed channel");
        Await.failure(channel.write("too late"), "a write to a closed channel");
        Await.success(channel.getCloseFuture(), "the close future");
    }

    @ParameterizedTest
    @EnumSource(names = "LOCAL", mode = EnumSource.Mode.EXCLUDE)
    void shouldFailTheFutures(Pair pair) {
        Rig rig = pair.rig();
        Recorder client = new Recorder();
        rig.client().setPipelineFactory(() -> Channels.pipeline(client));
        rig.client().setOption("tcpNoDelay", true);
        rig.server().setPipelineFactory(() -> Channels.pipeline(new Recorder()));
        rig.server().setOption("backlog", 10);
        rig.close();
        assertShutDown(rig.client().connect(PEER));
        assertShutDown(rig.client().connect(PEER, ANY));
        assertShutDown(rig.client().bind(ANY));
        assertShutDown(rig.server().bindAsync(ANY));
        ChannelException refusal =
                assertThrows(ChannelException.class, () -> rig.server().bind(ANY));
        assertInstanceOf(ChannelClosedException.class, refusal.getCause());
        assertEquals(List.of(), client.events(), "a handler that reconnects would do so forever");
    }

    @ParameterizedTest
    @EnumSource
    void shouldFailTheFuturesOfDatagrams(Datagrams transport) {
        ConnectionlessBootstrap bootstrap = new ConnectionlessBootstrap(transport.factory.get());
        bootstrap.setPipelineFactory(() -> Channels.pipeline(new Recorder()));
        bootstrap.setOption("broadcast", true);
        bootstrap.releaseExternalResources();
        assertShutDown(bootstrap.connect(PEER));
        assertShutDown(bootstrap.connect(PEER, ANY));
        assertThrows(ChannelException.class, () -> bootstrap.bind(ANY));
    }

    /** Reconnects when its channel closes, and keeps the outcome. */
    private static final class Reconnecting extends SimpleChannelUpstreamHandler {
        private final Rig rig;
        private final SocketAddress server;
        private final BlockingQueue<Object> outcomes;

        Reconnecting(Rig rig, SocketAddress server, BlockingQueue<Object> outcomes) {
            this.rig = rig;
            this.server = server;
            this.outcomes = outcomes;
        }

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            if (outcomes.size() < 100) { // over local, a factory creates channels as long as it is asked to
                try {
                    outcomes.add(rig.client().connect(server));
                } catch (RuntimeException thrown) {
                    outcomes.add(thrown);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = "LOCAL", mode = EnumSource.Mode.EXCLUDE)
    void shouldTerminateWhileHandlersReconnect(Pair pair) throws Exception {
        BlockingQueue<Object> outcomes = new LinkedBlockingQueue<>();
        Rig rig = pair.rig();
        Channel server = rig.listen(pair.freeAddress(), Recorder::new);
        SocketAddress address = server.getLocalAddress();
        rig.client().setPipelineFactory(() -> Channels.pipeline(new Reconnecting(rig, address, outcomes)));
        for (int i = 0; i < 5; i++) {
            Await.success(rig.client().connect(address), "a connection");
        }
        rig.close();
        assertFalse(outcomes.isEmpty());
        for (Object outcome : outcomes) {
            Await.done(assertInstanceOf(ChannelFuture.class, outcome), "a connect during the shutdown");
        }
    }
}
