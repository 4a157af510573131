package org.freshet.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.buffer.DirectChannelBufferFactory;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ChildChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.options.StrictOptions;
import org.freshet.testing.options.Warnings;
import org.junit.jupiter.api.Test;

class ServerBootstrapTest {
    private static final SocketAddress LOCAL = new InetSocketAddress("127.0.0.1", 80);
    private static final ChannelBufferFactory DIRECT = DirectChannelBufferFactory.getInstance();

    private final FakeTransport transport = new FakeTransport();
    private final ServerBootstrap bootstrap = new ServerBootstrap(transport.serverFactory());
    private final List<String> seen = new ArrayList<>();

    /** Records a channel's events, each with the value of the option at that time. */
    @ChannelHandler.Sharable
    private final class Witness extends SimpleChannelUpstreamHandler {
        @Override
        public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) {
            seen.add("open with " + e.getChannel().getConfig().getConnectTimeoutMillis());
        }

        @Override
        public void childChannelOpen(ChannelHandlerContext ctx, ChildChannelStateEvent e) {
            seen.add("child with " + e.getChildChannel().getConfig().getConnectTimeoutMillis());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            seen.add(e.getCause().getMessage());
        }
    }

    private FakeTransport.FakeServerChannel bind() {
        return (FakeTransport.FakeServerChannel) bootstrap.bind(LOCAL);
    }

    @Test
    void shouldAcceptServerFactoriesOnly() {
        assertThrows(IllegalArgumentException.class, () -> new ServerBootstrap(transport.clientFactory()));
        ServerBootstrap empty = new ServerBootstrap();
        assertThrows(IllegalArgumentException.class, () -> empty.setFactory(transport.clientFactory()));
        assertThrows(NullPointerException.class, () -> empty.setFactory(null));
        assertThrows(IllegalStateException.class, () -> empty.bind(LOCAL));
    }

    @Test
    void shouldSetOptionsBeforeItBinds() {
        bootstrap.setOption("bufferFactory", DIRECT);
        ChannelPipelineFactory pipelines = Channels::pipeline;
        bootstrap.setPipelineFactory(pipelines);
        transport.holding = true;
        ChannelFuture future = bootstrap.bindAsync(LOCAL);
        assertFalse(future.isDone());
        Channel server = transport.lastOpened();
        assertSame(DIRECT, server.getConfig().getBufferFactory());
        assertSame(pipelines, server.getConfig().getPipelineFactory());
        transport.letGo();
        assertTrue(future.isSuccess());
        assertSame(server, future.getChannel());
        assertEquals(LOCAL, server.getLocalAddress());
        assertEquals(List.of("bind " + LOCAL), transport.calls);
    }

    @Test
    void shouldTakeTheAddressFromTheOptions() {
        assertEquals(
                "localAddress option is not set: set it, or call bind(address)",
                assertThrows(IllegalStateException.class, bootstrap::bind).getMessage());
        assertEquals(
                "localAddress option is not set: set it, or call bindAsync(address)",
                assertThrows(IllegalStateException.class, bootstrap::bindAsync).getMessage());
        assertThrows(NullPointerException.class, () -> bootstrap.bind(null));
        bootstrap.setOption("localAddress", LOCAL);
        assertEquals(LOCAL, bootstrap.bind().getLocalAddress());
        assertTrue(bootstrap.bindAsync().isSuccess());
    }

    @Test
    void shouldCloseAndReportTheCauseWhenItCannotBind() {
        transport.bindFailure = new BindException("in use");
        ChannelException e = assertThrows(ChannelException.class, () -> bootstrap.bind(LOCAL));
        assertEquals("cannot bind to " + LOCAL + ": in use", e.getMessage());
        assertSame(transport.bindFailure, e.getCause());
        assertFalse(transport.lastOpened().isOpen());

        List<Boolean> openWhenTold = new ArrayList<>();
        ChannelFuture future = bootstrap.bindAsync(LOCAL);
        future.addListener(done -> openWhenTold.add(done.getChannel().isOpen()));
        assertSame(transport.bindFailure, future.getCause());
        assertEquals(List.of(false), openWhenTold);
    }

    @Test
    void shouldReportAFailedBindOnlyAfterTheChannelIsClosed() {
        transport.holding = true;
        transport.bindFailure = new BindException("in use");
        List<Boolean> openWhenTold = new ArrayList<>();
        ChannelFuture future = bootstrap.bindAsync(LOCAL);
        future.addListener(done -> openWhenTold.add(done.getChannel().isOpen()));
        transport.letGo();
        assertEquals(List.of(false), openWhenTold);
    }

    @Test
    void shouldCloseTheChannelWhenBindingIsCancelled() {
        transport.holding = true;
        ChannelFuture future = bootstrap.bindAsync(LOCAL);
        assertTrue(future.cancel());
        assertFalse(future.getChannel().isOpen());
        transport.letGo();
        assertTrue(future.isCancelled());
        assertEquals(List.of(), bootstrap.boundChannels());
    }

    @Test
    void shouldThrowTheFactorysException() {
        transport.openFailure = new ChannelException("no descriptor left");
        assertSame(transport.openFailure, assertThrows(ChannelException.class, () -> bootstrap.bind(LOCAL)));
        assertSame(transport.openFailure, assertThrows(ChannelException.class, () -> bootstrap.bindAsync(LOCAL)));
    }

    @Test
    void shouldRefuseToWaitOnAnIoThreadAndLeaveNoChannelOpen() {
        transport.holding = true;
        transport.callerIsIoThread = true;
        assertThrows(IllegalStateException.class, () -> bootstrap.bind(LOCAL));
        assertFalse(transport.lastOpened().isOpen());
    }

    @Test
    void shouldNotifyTheParentHandlerOfItsConnections() throws Exception {
        ChannelHandler witness = new Witness();
        assertNull(bootstrap.getParentHandler());
        bootstrap.setParentHandler(witness);
        assertSame(witness, bootstrap.getParentHandler());
        bootstrap.setChildOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, 5);
        FakeTransport.FakeServerChannel server = bind();
        server.accept();
        assertEquals(List.of("open with 0", "child with 5"), seen);
        assertSame(witness, server.getPipeline().getLast());

        bootstrap.setParentHandler(null);
        assertEquals(1, bind().getPipeline().getNames().size());
    }

    @Test
    void shouldSetChildOptionsBeforeTheFirstEventOfAConnection() throws Exception {
        bootstrap.setPipelineFactory(() -> Channels.pipeline(new Witness()));
        bootstrap.setOption("child.connectTimeoutMillis", "7");
        bootstrap.setOption("child.bufferFactory", DIRECT);
        FakeTransport.FakeServerChannel server = bind();
        Channel child = server.accept();
        assertEquals(List.of("open with 7"), seen);
        assertSame(DIRECT, child.getConfig().getBufferFactory());
        assertTrue(server.getConfig().getBufferFactory() != DIRECT, "a child's option is not the server's");
        assertEquals(7, bootstrap.getChildOption(ChannelOption.CONNECT_TIMEOUT_MILLIS));
        assertNull(bootstrap.getChildOption(ChannelOption.BACKLOG));
    }

    @Test
    void shouldApplyChangedChildOptionsToLaterConnections() throws Exception {
        FakeTransport.FakeServerChannel server = bind();
        Channel first = server.accept();
        bootstrap.setChildOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, 2);
        Channel second = server.accept();
        bootstrap.setOptions(Map.of("child.connectTimeoutMillis", 3L));
        Channel third = server.accept();
        bootstrap.setChildOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, null);
        Channel fourth = server.accept();
        assertEquals(
                List.of(10_000, 2, 3, 10_000),
                List.of(first, second, third, fourth).stream()
                        .map(child -> child.getConfig().getConnectTimeoutMillis())
                        .toList());
    }

    @Test
    void shouldRefuseABadChildOptionValueWhenItIsSet() {
        IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class, () -> bootstrap.setOption("child.connectTimeoutMillis", "soon"));
        assertEquals("child.connectTimeoutMillis: \"soon\" (allowed: a whole number, 0 or more)", e.getMessage());
        assertThrows(
                IllegalArgumentException.class,
                () -> bootstrap.setChildOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, -1));
        assertEquals(Map.of(), bootstrap.getOptions());
    }

    @Test
    void shouldWarnAboutAnUnknownChildOptionOnceAndBeforeTheFirstConnection() throws Exception {
        bootstrap.setOption("child.connectTimoutMillis", 1);
        try (CapturedLog log = CapturedLog.start()) {
            FakeTransport.FakeServerChannel server = bind();
            assertEquals(
                    1,
                    Warnings.about("did you mean \"connectTimeoutMillis\"?", log)
                            .size());
            server.accept();
            server.accept();
            assertEquals(1, Warnings.about("connectTimoutMillis", log).size());

            bootstrap.setOption("child.bufferFacotry", 1);
            assertEquals(
                    1,
                    Warnings.about("\"bufferFacotry\"; did you mean \"bufferFactory\"?", log)
                            .size());
        }
    }

    @Test
    void shouldSuggestTheChildOptionThatWasMeant() {
        bootstrap.setOption("tcpNoDelay", true);
        bootstrap.setOption("keepalive", true);
        try (CapturedLog log = CapturedLog.start()) {
            bind();
            assertEquals(
                    1, Warnings.about("did you mean \"child.tcpNoDelay\"?", log).size());
            assertEquals(
                    1, Warnings.about("did you mean \"child.keepAlive\"?", log).size());
        }
    }

    @Test
    void shouldRefuseUnknownOptionsWhenStrict() {
        bootstrap.setOption("child.unheardOf", 1);
        StrictOptions.during(() -> {
            ChannelException e = assertThrows(ChannelException.class, () -> bootstrap.bind(LOCAL));
            assertEquals(IllegalArgumentException.class, e.getCause().getClass());
            assertFalse(transport.lastOpened().isOpen());

            bootstrap.setOptions(new HashMap<>());
            bind();
            assertThrows(IllegalArgumentException.class, () -> bootstrap.setOption("child.unheardOf", 1));
            assertEquals(Map.of(), bootstrap.getOptions());
        });
    }

    @Test
    void shouldCloseAConnectionWhoseOptionsAreRefusedAndReportWhy() throws Exception {
        bootstrap.setPipelineFactory(() -> Channels.pipeline(new Witness()));
        FakeTransport.FakeServerChannel server = bind();
        bootstrap.setOption("child.unheardOf", 1);
        StrictOptions.during(() -> {
            try {
                assertFalse(server.accept().isOpen());
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        assertEquals(1, seen.size(), seen::toString);
        assertTrue(seen.get(0).contains("\"unheardOf\""), seen::toString);
        assertTrue(server.isOpen());
        assertTrue(server.accept().isOpen());
    }

    @Test
    void shouldServeSeveralServersAtTheSameTime() throws Exception {
        FakeTransport.FakeServerChannel one = bind();
        FakeTransport.FakeServerChannel two = bind();
        bootstrap.setChildOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, 9);
        assertEquals(9, one.accept().getConfig().getConnectTimeoutMillis());
        assertEquals(9, two.accept().getConfig().getConnectTimeoutMillis());
        assertEquals(2, bootstrap.boundChannels().size());
        one.close();
        assertEquals(List.of(two), bootstrap.boundChannels());
    }
}
