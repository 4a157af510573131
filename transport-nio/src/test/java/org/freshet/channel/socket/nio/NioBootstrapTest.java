package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.freshet.bootstrap.BootstrapMXBean;
import org.freshet.bootstrap.BootstrapRegistration;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.telemetry.LoopsMXBean;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.options.StrictOptions;
import org.freshet.testing.options.Warnings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bootstraps over real sockets: their options take effect, and channels they cannot open are closed. */
class NioBootstrapTest {
    private final ServerBootstrap server = new ServerBootstrap(new NioServerSocketChannelFactory());
    private final ClientBootstrap client = new ClientBootstrap(new NioClientSocketChannelFactory());
    /** Accepted channels, with the options they had at their first event. */
    private final BlockingQueue<Map<String, Object>> accepted = new LinkedBlockingQueue<>();

    private final class Echo extends SimpleChannelUpstreamHandler {
        @Override
        public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) {
            accepted.add(e.getChannel().getConfig().getOptions());
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            e.getChannel().write(e.getMessage());
        }
    }

    @BeforeEach
    void echo() {
        server.setPipelineFactory(() -> Channels.pipeline(new Echo()));
    }

    @AfterEach
    void release() {
        client.releaseExternalResources();
        server.releaseExternalResources();
    }

    private Channel bind() {
        return server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    private Channel connect(Channel listening) {
        return Await.success(client.connect(listening.getLocalAddress()), "connect")
                .getChannel();
    }

    private Map<String, Object> nextAccepted() throws InterruptedException {
        Map<String, Object> options = accepted.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
        if (options == null) {
            throw new AssertionError("timed out waiting for an accepted connection");
        }
        return options;
    }

    private static void close(Channel... channels) {
        for (Channel channel : channels) {
            Await.success(channel.close(), "close");
        }
    }

    @Test
    void shouldApplyChildOptionsChangedWhileItRuns() throws Exception {
        server.setOption("child.tcpNoDelay", "true");
        server.setOption("child.soLinger", 3);
        Channel listening = bind();
        Channel first = connect(listening);
        Map<String, Object> options = nextAccepted();
        assertEquals(true, options.get("tcpNoDelay"));
        assertEquals(3, options.get("soLinger"));

        server.setChildOption(ChannelOption.TCP_NODELAY, false);
        server.setChildOption(ChannelOption.SEND_BUFFER_SIZE, 20_000);
        Channel second = connect(listening);
        options = nextAccepted();
        assertEquals(false, options.get("tcpNoDelay"));
        assertEquals(20_000, options.get("sendBufferSize"));
        close(first, second, listening);
    }

    @Test
    void shouldPassTheServersReceiveBufferSizeOnToItsConnections() throws Exception {
        server.setOption(ChannelOption.RECEIVE_BUFFER_SIZE, 30_000);
        Channel listening = bind();
        assertEquals(30_000, listening.getConfig().getOption(ChannelOption.RECEIVE_BUFFER_SIZE));
        Channel connection = connect(listening);
        assertEquals(30_000, nextAccepted().get("receiveBufferSize"));
        close(connection, listening);
    }

    @Test
    void shouldWarnOnceAboutAChildTypoHoweverManyConnect() throws Exception {
        server.setOption("child.tcpNoDelya", true);
        try (CapturedLog log = CapturedLog.start()) {
            Channel listening = bind();
            Channel first = connect(listening);
            nextAccepted();
            Channel second = connect(listening);
            nextAccepted();
            assertEquals(
                    1,
                    Warnings.about("\"tcpNoDelya\"; did you mean \"tcpNoDelay\"?", log)
                            .size());
            close(first, second, listening);
        }
    }

    @Test
    void shouldRefuseCrossedWaterMarksOfChildrenWhenBoundAndWhenChanged() {
        server.setOption("child.writeBufferHighWaterMark", 100);
        InetSocketAddress anywhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        ChannelException e = assertThrows(ChannelException.class, () -> server.bind(anywhere));
        assertInstanceOf(IllegalArgumentException.class, e.getCause());

        server.setOption("child.writeBufferLowWaterMark", 50);
        Channel listening = bind();
        assertThrows(IllegalArgumentException.class, () -> server.setOption("child.writeBufferLowWaterMark", 101));
        assertEquals(50, server.getOption("child.writeBufferLowWaterMark"));
        close(listening);
    }

    @Test
    void shouldCloseAConnectionWhoseChildOptionsAreRefused() throws Exception {
        Channel listening = bind();
        server.setOption("child.unheardOf", 1);
        StrictOptions.during(() -> {
            Channel refused = connect(listening);
            Await.done(refused.getCloseFuture(), "the server to close the connection it could not set up");
        });
        Channel taken = connect(listening);
        nextAccepted();
        assertTrue(taken.isConnected());
        close(taken, listening);
    }

    @Test
    void shouldReportAnAddressInUseAndNotDisturbIt() {
        Channel listening = bind();
        ChannelException e = assertThrows(ChannelException.class, () -> server.bind(listening.getLocalAddress()));
        assertInstanceOf(BindException.class, e.getCause());
        assertTrue(listening.isBound());
        ChannelFuture future = Await.done(server.bindAsync(listening.getLocalAddress()), "the second bind");
        assertInstanceOf(BindException.class, future.getCause());
        assertFalse(future.getChannel().isOpen());
        close(listening);
    }

    @Test
    void shouldBindBeforeItConnects() throws Exception {
        Channel listening = bind();
        ChannelFuture future =
                client.connect(listening.getLocalAddress(), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Channel connection = Await.success(future, "bind and connect").getChannel();
        nextAccepted();
        assertTrue(connection.isConnected());

        ChannelFuture taken = client.connect(listening.getLocalAddress(), listening.getLocalAddress());
        assertInstanceOf(BindException.class, Await.failure(taken, "a bind to a taken address"));
        Await.done(taken.getChannel().getCloseFuture(), "close after a failed bind");
        close(connection, listening);
    }

    @Test
    void shouldShowAndChangeARunningServerOverJmx() throws Exception {
        try (BootstrapRegistration registration = server.registerMBean("nio")) {
            BootstrapMXBean bean = JMX.newMXBeanProxy(
                    ManagementFactory.getPlatformMBeanServer(), registration.objectName(), BootstrapMXBean.class);
            Channel listening = bind();
            assertEquals(
                    listening.getLocalAddress().toString(),
                    bean.getBoundAddresses().get(0));
            bean.setOption("child.receiveBufferSize", "25000");
            assertThrows(IllegalArgumentException.class, () -> bean.setOption("child.receiveBufferSize", "0"));

            BlockingQueue<Object> answers = new LinkedBlockingQueue<>();
            client.setPipelineFactory(() -> Channels.pipeline(new SimpleChannelUpstreamHandler() {
                @Override
                public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                    answers.add(e.getMessage());
                }
            }));
            Channel connection = connect(listening);
            Map<String, Object> options = nextAccepted();
            assertEquals(25_000, options.get("receiveBufferSize"));
            connection.write(ChannelBuffers.wrappedBuffer(new byte[10]));
            assertNotNull(answers.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS), "no echo");
            assertEquals(1, bean.getOpenConnections());
            assertEquals(10, bean.getBytesRead());
            Await.until(() -> bean.getBytesWritten() == 10, () -> "bytes written, now " + bean.getBytesWritten());
            close(connection);
            Await.until(() -> bean.getOpenConnections() == 0, "the server to see the connection close");
            assertEquals(1, bean.getAcceptedConnections());
            assertEquals(Map.of("PEER_CLOSED", 1L), bean.getClosedByReason());
            close(listening);
        }
    }

    @Test
    void shouldShowTheLoopsOverJmxWhileTheServerIsRegistered() throws Exception {
        MBeanServer jmx = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName("org.freshet:type=Loops,name=loops-test,of=ServerBootstrap");
        try (BootstrapRegistration registration = server.registerMBean("loops-test")) {
            LoopsMXBean loops = JMX.newMXBeanProxy(jmx, name, LoopsMXBean.class);
            bind();
            assertEquals(loops.getLoopCount(), loops.getLoops().length);
            assertEquals(1, loops.getChannels());
            assertEquals("server-boss", loops.getLoops()[0].getRole());
            assertEquals(40, loops.getLoops()[0].getIterationHistogram().length);
            assertEquals(0L, loops.getLoops()[0].getConnectionsClosed().get("LOCAL"));
            assertTrue(loops.getBusyShare() >= 0 && loops.getBusyShare() <= 1);
            assertTrue(jmx.isRegistered(registration.objectName()));
        }
        assertFalse(jmx.isRegistered(name));
    }
}
