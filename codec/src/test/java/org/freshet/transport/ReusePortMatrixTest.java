package org.freshet.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.freshet.bootstrap.Bootstrap;
import org.freshet.bootstrap.ConnectionlessBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioDatagramChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.channel.socket.oio.OioDatagramChannelFactory;
import org.freshet.channel.socket.oio.OioServerSocketChannelFactory;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several sockets on one port, if the system supports it. */
class ReusePortMatrixTest {
    private enum Kind {
        NIO(NioServerSocketChannelFactory::new, false),
        OIO(OioServerSocketChannelFactory::new, false),
        NIO_DATAGRAM(NioDatagramChannelFactory::new, true),
        OIO_DATAGRAM(OioDatagramChannelFactory::new, true);

        private final Supplier<ChannelFactory> factory;
        private final boolean isDatagram;

        Kind(Supplier<ChannelFactory> factory, boolean isDatagram) {
            this.factory = factory;
            this.isDatagram = isDatagram;
        }

        Bootstrap bootstrap(boolean isReused) {
            Bootstrap made =
                    isDatagram ? new ConnectionlessBootstrap(factory.get()) : new ServerBootstrap(factory.get());
            made.setPipelineFactory(() -> Channels.pipeline(new Recorder()));
            if (isReused) {
                made.setOption(ChannelOption.REUSE_PORT, true);
            }
            return made;
        }

        static Channel bind(Bootstrap bootstrap, int port) {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            return bootstrap instanceof ServerBootstrap servers
                    ? servers.bind(address)
                    : ((ConnectionlessBootstrap) bootstrap).bind(address);
        }
    }

    @BeforeAll
    static void requireOption() throws Exception {
        try (ServerSocketChannel any = ServerSocketChannel.open()) {
            Assumptions.assumeTrue(any.supportedOptions().stream()
                    .anyMatch(option -> option.name().equals("SO_REUSEPORT")));
        }
    }

    private static int portOf(Channel channel) {
        return ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    @ParameterizedTest
    @EnumSource
    void shouldShareAPortWithOthersThatEnableIt(Kind kind) {
        Bootstrap first = kind.bootstrap(true);
        Bootstrap second = kind.bootstrap(true);
        Bootstrap stranger = kind.bootstrap(false);
        try {
            Channel one = Kind.bind(first, 0);
            Channel other = Kind.bind(second, portOf(one));
            assertEquals(portOf(one), portOf(other));
            assertEquals(true, one.getConfig().getOption(ChannelOption.REUSE_PORT));
            assertThrows(ChannelException.class, () -> Kind.bind(stranger, portOf(one)));
        } finally {
            List.of(first, second, stranger).forEach(Bootstrap::releaseExternalResources);
        }
    }

    /** The kernel chooses by the client's port, so each server gets some of many connections. */
    @ParameterizedTest
    @EnumSource(names = {"NIO", "OIO"})
    void shouldServeConnectionsOnEachServerUntilItIsClosed(Kind kind) throws Exception {
        Queue<Channel> byFirst = new ConcurrentLinkedQueue<>();
        Queue<Channel> bySecond = new ConcurrentLinkedQueue<>();
        Bootstrap first = counting(kind, byFirst);
        Bootstrap second = counting(kind, bySecond);
        try {
            Channel one = Kind.bind(first, 0);
            Kind.bind(second, portOf(one));
            int port = portOf(one);
            while (byFirst.isEmpty() || bySecond.isEmpty()) {
                connect(port);
            }
            Await.success(one.close(), "the close of the first");
            int before = bySecond.size();
            for (int i = 0; i < 20; i++) {
                connect(port);
            }
            Await.until(() -> bySecond.size() >= before + 20, "connections to the second");
            assertTrue(bySecond.size() >= before + 20);
        } finally {
            List.of(first, second).forEach(Bootstrap::releaseExternalResources);
        }
    }

    private static Bootstrap counting(Kind kind, Queue<Channel> accepted) {
        Bootstrap bootstrap = kind.bootstrap(true);
        bootstrap.setPipelineFactory(() -> Channels.pipeline(new Recorder() {
            @Override
            public void handleUpstream(
                    org.freshet.channel.ChannelHandlerContext ctx, org.freshet.channel.ChannelEvent e)
                    throws Exception {
                if (!accepted.contains(e.getChannel())) {
                    accepted.add(e.getChannel());
                }
                super.handleUpstream(ctx, e);
            }
        }));
        return bootstrap;
    }

    private static void connect(int port) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            assertTrue(socket.isConnected());
        }
    }
}
