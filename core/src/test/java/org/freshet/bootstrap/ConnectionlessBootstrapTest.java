package org.freshet.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelOption;
import org.junit.jupiter.api.Test;

class ConnectionlessBootstrapTest {
    private static final SocketAddress REMOTE = new InetSocketAddress("127.0.0.1", 80);
    private static final SocketAddress LOCAL = new InetSocketAddress("127.0.0.1", 1000);

    private final FakeTransport transport = new FakeTransport();
    private final ConnectionlessBootstrap bootstrap = new ConnectionlessBootstrap(transport.clientFactory());

    @Test
    void shouldBindWithOptionsAndWait() {
        bootstrap.setOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, 3);
        Channel channel = bootstrap.bind(LOCAL);
        assertEquals(LOCAL, channel.getLocalAddress());
        assertEquals(3, channel.getConfig().getConnectTimeoutMillis());
        assertEquals(List.of(channel), bootstrap.boundChannels());
        channel.close();
        assertEquals(List.of(), bootstrap.boundChannels());
    }

    @Test
    void shouldTakeAddressesFromTheOptions() {
        assertThrows(IllegalStateException.class, () -> new ConnectionlessBootstrap().bind(LOCAL));
        assertThrows(IllegalStateException.class, bootstrap::bind);
        assertThrows(IllegalStateException.class, bootstrap::connect);
        assertThrows(NullPointerException.class, () -> bootstrap.bind(null));
        assertThrows(NullPointerException.class, () -> bootstrap.connect(null, LOCAL));
        bootstrap.setOption("localAddress", LOCAL);
        bootstrap.setOption("remoteAddress", REMOTE);
        assertEquals(LOCAL, bootstrap.bind().getLocalAddress());
        ChannelFuture future = bootstrap.connect();
        assertTrue(future.isSuccess());
        assertEquals(LOCAL, future.getChannel().getLocalAddress());
        assertEquals(REMOTE, future.getChannel().getRemoteAddress());
    }

    @Test
    void shouldConnectWithoutALocalAddress() {
        assertTrue(bootstrap.connect(REMOTE).isSuccess());
        assertTrue(bootstrap.connect(REMOTE, null).isSuccess());
        assertEquals(List.of("connect " + REMOTE, "connect " + REMOTE), transport.calls);
    }

    @Test
    void shouldCloseAndReportTheCauseWhenItCannotBind() {
        transport.bindFailure = new BindException("in use");
        ChannelException e = assertThrows(ChannelException.class, () -> bootstrap.bind(LOCAL));
        assertEquals("cannot bind to " + LOCAL + ": in use", e.getMessage());
        assertSame(transport.bindFailure, e.getCause());
        assertFalse(transport.lastOpened().isOpen());
        assertEquals(List.of(), bootstrap.boundChannels());
    }

    @Test
    void shouldRefuseToWaitOnAnIoThreadAndLeaveNoChannelOpen() {
        transport.holding = true;
        transport.callerIsIoThread = true;
        assertThrows(IllegalStateException.class, () -> bootstrap.bind(LOCAL));
        assertFalse(transport.lastOpened().isOpen());
    }
}
