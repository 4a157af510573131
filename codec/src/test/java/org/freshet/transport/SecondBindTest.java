package org.freshet.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.AlreadyBoundException;
import java.util.List;
import java.util.function.Supplier;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.Channels;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.local.DefaultLocalClientChannelFactory;
import org.freshet.channel.local.DefaultLocalServerChannelFactory;
import org.freshet.channel.local.LocalAddress;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioDatagramChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.channel.socket.nio.NioUnixClientChannelFactory;
import org.freshet.channel.socket.nio.NioUnixServerChannelFactory;
import org.freshet.channel.socket.oio.OioClientSocketChannelFactory;
import org.freshet.channel.socket.oio.OioDatagramChannelFactory;
import org.freshet.channel.socket.oio.OioServerSocketChannelFactory;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.Recorder;
import org.freshet.testing.UnixPaths;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A channel can be bound once. A second bind fails, handlers are notified, and the channel continues. */
class SecondBindTest {
    /** Every kind of channel. */
    private enum Kind {
        NIO_SERVER(NioServerSocketChannelFactory::new),
        OIO_SERVER(OioServerSocketChannelFactory::new),
        UNIX_SERVER(NioUnixServerChannelFactory::new),
        LOCAL_SERVER(DefaultLocalServerChannelFactory::new),
        NIO_CLIENT(NioClientSocketChannelFactory::new),
        OIO_CLIENT(OioClientSocketChannelFactory::new),
        UNIX_CLIENT(NioUnixClientChannelFactory::new),
        LOCAL_CLIENT(DefaultLocalClientChannelFactory::new),
        NIO_DATAGRAM(NioDatagramChannelFactory::new),
        OIO_DATAGRAM(OioDatagramChannelFactory::new);

        private final Supplier<ChannelFactory> factory;

        Kind(Supplier<ChannelFactory> factory) {
            this.factory = factory;
        }

        SocketAddress address(String name) {
            if (name().startsWith("UNIX")) {
                return UnixPaths.free();
            }
            return name().startsWith("LOCAL")
                    ? new LocalAddress("second-bind-" + name)
                    : new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldFailAndLeaveTheChannelBound(Kind kind) {
        ChannelFactory factory = kind.factory.get();
        try {
            Recorder recorder = new Recorder();
            Channel channel = factory.newChannel(Channels.pipeline(recorder));
            Await.success(channel.bind(kind.address("first")), "the first bind");
            SocketAddress bound = channel.getLocalAddress();

            Throwable cause = Await.failure(channel.bind(kind.address("second")), "the second bind");

            assertInstanceOf(AlreadyBoundException.class, cause);
            assertTrue(cause.getMessage().contains(bound.toString()), cause.getMessage());
            recorder.awaitEvent("exception");
            assertEquals(List.of("open", "bound", "exception"), recorder.states());
            assertEquals(List.of(cause), recorder.failures());
            assertTrue(channel.isOpen());
            assertTrue(channel.isBound());
            assertEquals(bound, channel.getLocalAddress());
            assertFalse(channel.getCloseFuture().isDone());
            Await.success(channel.close(), "the close");
            recorder.awaitClosed();
            assertEquals(List.of("open", "bound", "exception", "unbound", "closed"), recorder.states());
        } finally {
            factory.releaseExternalResources();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldLetAServerAcceptAfterwards(Pair pair) {
        try (var rig = pair.rig()) {
            Recorder child = new Recorder();
            Channel server = rig.listen(pair.freeAddress(), () -> child);
            Await.failure(server.bind(pair.freeAddress()), "the second bind");
            rig.connect(server.getLocalAddress());
            child.awaitEvent("connected");
        }
    }

    /** The future reports it. */
    @ParameterizedTest
    @EnumSource
    void shouldLogNoWarning(Kind kind) {
        ChannelFactory factory = kind.factory.get();
        try (CapturedLog log = CapturedLog.start()) {
            Channel channel = factory.newChannel(Channels.pipeline(new SimpleChannelUpstreamHandler()));
            Await.success(channel.bind(kind.address("first")), "the first bind");
            Throwable cause = Await.failure(channel.bind(kind.address("second")), "the second bind");
            log.awaitMessage(message -> message.cause() == cause && message.level() == InternalLogLevel.DEBUG);
            assertEquals(List.of(), log.messages(InternalLogLevel.WARN));
        } finally {
            factory.releaseExternalResources();
        }
    }
}
