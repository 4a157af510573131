package org.freshet.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.ChannelPipelineException;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.options.StrictOptions;
import org.freshet.testing.options.Warnings;
import org.junit.jupiter.api.Test;

class ClientBootstrapTest {
    private static final SocketAddress REMOTE = new InetSocketAddress("127.0.0.1", 80);
    private static final SocketAddress LOCAL = new InetSocketAddress("127.0.0.1", 1000);

    private final FakeTransport transport = new FakeTransport();
    private final ClientBootstrap bootstrap = new ClientBootstrap(transport.clientFactory());

    @Test
    void shouldSetOptionsBeforeItConnects() {
        bootstrap.setOption("connectTimeoutMillis", "55");
        transport.holding = true;
        ChannelFuture future = bootstrap.connect(REMOTE);
        Channel channel = transport.lastOpened();
        assertSame(channel, future.getChannel());
        assertEquals(55, channel.getConfig().getConnectTimeoutMillis());
        assertFalse(future.isDone());
        transport.letGo();
        assertTrue(future.isSuccess());
        assertEquals(REMOTE, channel.getRemoteAddress());
        assertEquals(List.of("connect " + REMOTE), transport.calls);
    }

    @Test
    void shouldBindTheLocalAddressBeforeItConnects() {
        transport.holding = true;
        ChannelFuture future = bootstrap.connect(REMOTE, LOCAL);
        assertEquals(List.of("bind " + LOCAL), transport.calls);
        transport.letGo();
        assertTrue(future.isSuccess());
        assertEquals(List.of("bind " + LOCAL, "connect " + REMOTE), transport.calls);
        assertEquals(LOCAL, future.getChannel().getLocalAddress());
    }

    @Test
    void shouldTakeAddressesFromTheOptions() {
        assertEquals(
                "remoteAddress option is not set: set it, or call connect(address)",
                assertThrows(IllegalStateException.class, bootstrap::connect).getMessage());
        bootstrap.setOption("remoteAddress", REMOTE);
        assertTrue(bootstrap.connect().isSuccess());
        bootstrap.setOption("localAddress", LOCAL);
        assertTrue(bootstrap.connect().isSuccess());
        assertTrue(bootstrap.connect(REMOTE).isSuccess());
        assertEquals(
                List.of(
                        "connect " + REMOTE,
                        "bind " + LOCAL,
                        "connect " + REMOTE,
                        "bind " + LOCAL,
                        "connect " + REMOTE),
                transport.calls);
        assertThrows(NullPointerException.class, () -> bootstrap.connect((SocketAddress) null));
        assertThrows(NullPointerException.class, () -> bootstrap.bind(null));
    }

    @Test
    void shouldNotTreatAddressesAsChannelOptions() {
        bootstrap.setOption("remoteAddress", REMOTE);
        bootstrap.setOption("localAddress", LOCAL);
        try (CapturedLog log = CapturedLog.start()) {
            bootstrap.connect();
            assertEquals(List.of(), Warnings.about("unknown option", log));
        }
    }

    @Test
    void shouldCloseTheChannelWhenConnectingFails() {
        transport.connectFailure = new ConnectException("refused");
        ChannelFuture future = bootstrap.connect(REMOTE);
        assertSame(transport.connectFailure, future.getCause());
        assertFalse(future.getChannel().isOpen());

        ChannelFuture fromLocal = bootstrap.connect(REMOTE, LOCAL);
        assertSame(transport.connectFailure, fromLocal.getCause());
        assertFalse(fromLocal.getChannel().isOpen());
    }

    @Test
    void shouldNotConnectWhenBindingFails() {
        transport.bindFailure = new BindException("in use");
        ChannelFuture future = bootstrap.connect(REMOTE, LOCAL);
        assertSame(transport.bindFailure, future.getCause());
        assertFalse(future.getChannel().isOpen());
        assertEquals(List.of("bind " + LOCAL, "close"), transport.calls);

        ChannelFuture bound = bootstrap.bind(LOCAL);
        assertSame(transport.bindFailure, bound.getCause());
        assertFalse(bound.getChannel().isOpen());
    }

    @Test
    void shouldBindWithoutConnecting() {
        ChannelFuture future = bootstrap.bind(LOCAL);
        assertTrue(future.isSuccess());
        assertEquals(LOCAL, future.getChannel().getLocalAddress());
        assertTrue(future.getChannel().isOpen());
    }

    /** Only a bind failure is reported to the caller. */
    @Test
    void shouldLogUnhandledExceptionsOnceItIsBound() {
        Channel channel = bootstrap.bind(LOCAL).getChannel();
        try (CapturedLog log = CapturedLog.start()) {
            Channels.fireExceptionCaught(channel, new IllegalStateException("later"));
            assertEquals(InternalLogLevel.WARN, log.only().level());
        }
    }

    @Test
    void shouldCloseTheChannelWhenTheAttemptIsCancelled() {
        transport.holding = true;
        ChannelFuture connecting = bootstrap.connect(REMOTE);
        assertTrue(connecting.cancel());
        assertFalse(connecting.getChannel().isOpen());

        ChannelFuture binding = bootstrap.connect(REMOTE, LOCAL);
        assertTrue(binding.cancel());
        assertFalse(binding.getChannel().isOpen());
        transport.letGo();
        assertTrue(binding.isCancelled());
        assertEquals(List.of("connect " + REMOTE, "close", "bind " + LOCAL, "close"), transport.calls);
    }

    @Test
    void shouldCancelTheSecondStepToo() {
        transport.holding = true;
        ChannelFuture future = bootstrap.connect(REMOTE, LOCAL);
        transport.letGoOne();
        assertEquals(List.of("bind " + LOCAL, "connect " + REMOTE), transport.calls);
        assertTrue(future.cancel());
        transport.letGo();
        assertFalse(future.getChannel().isConnected());
        assertFalse(future.getChannel().isOpen());
    }

    @Test
    void shouldThrowIfNoChannelCanBeCreated() {
        assertThrows(IllegalStateException.class, () -> new ClientBootstrap().connect(REMOTE));
        transport.openFailure = new ChannelException("no descriptor left");
        assertSame(transport.openFailure, assertThrows(ChannelException.class, () -> bootstrap.connect(REMOTE)));
        Exception cause = new Exception("no pipeline");
        bootstrap.setPipelineFactory(() -> {
            throw cause;
        });
        ChannelPipelineException failure =
                assertThrows(ChannelPipelineException.class, () -> bootstrap.connect(REMOTE));
        assertSame(cause, failure.getCause());
        assertTrue(failure.getMessage().endsWith(": no pipeline"), failure.getMessage());
        bootstrap.setPipelineFactory(() -> null);
        assertThrows(ChannelPipelineException.class, () -> bootstrap.connect(REMOTE));
        assertEquals(List.of(), transport.opened);
    }

    @Test
    void shouldThrowAndCloseWhenTheChannelRefusesAnOption() {
        bootstrap.setOption("unheardOf", 1);
        StrictOptions.during(() -> assertThrows(IllegalArgumentException.class, () -> bootstrap.connect(REMOTE)));
        assertFalse(transport.lastOpened().isOpen());
        assertEquals(List.of("close"), transport.calls);
    }

    @Test
    void shouldFailAndCloseWhenAHandlerThrows() {
        IllegalStateException thrown = new IllegalStateException("connecting refused on purpose");
        bootstrap.setPipelineFactory(() -> Channels.pipeline(new RefuseConnect(thrown)));
        ChannelFuture future = bootstrap.connect(REMOTE);
        assertSame(thrown, future.getCause());
        assertFalse(future.getChannel().isOpen());
    }

    private static final class RefuseConnect extends SimpleChannelDownstreamHandler {
        private final RuntimeException thrown;

        RefuseConnect(RuntimeException thrown) {
            this.thrown = thrown;
        }

        @Override
        public void connectRequested(ChannelHandlerContext ctx, ChannelStateEvent e) {
            throw thrown;
        }
    }

    @Test
    void shouldWarnOnceAboutAnUnknownOption() {
        bootstrap.setOption("connectTimeOut", 1);
        try (CapturedLog log = CapturedLog.start()) {
            bootstrap.connect(REMOTE);
            bootstrap.connect(REMOTE);
            assertEquals(
                    1,
                    Warnings.about("\"connectTimeOut\"; did you mean \"connectTimeoutMillis\"?", log)
                            .size());
        }
    }

    @Test
    void shouldUseOptionsAsLastChanged() {
        bootstrap.setOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, 1);
        Channel first = bootstrap.connect(REMOTE).getChannel();
        bootstrap.setOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, 2);
        Channel second = bootstrap.connect(REMOTE).getChannel();
        assertEquals(1, first.getConfig().getConnectTimeoutMillis());
        assertEquals(2, second.getConfig().getConnectTimeoutMillis());
    }
}
