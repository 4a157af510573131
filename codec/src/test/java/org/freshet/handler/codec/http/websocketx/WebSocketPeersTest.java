package org.freshet.handler.codec.http.websocketx;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpObjectAggregator;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.SocketTransport;
import org.freshet.testing.Await;
import org.freshet.testing.Rig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Freshet's server and client against those of the JDK, Netty 3, Netty 4.2, {@code ws} for node and {@code websockets}
 * for Python, over sockets. The last two are used if {@code NODE_PATH} and {@code PYTHONPATH} lead to them.
 */
class WebSocketPeersTest {
    private static final String TEXT = "Grüße €𐍈";
    private static final int LARGE = 100_000;

    /**
     * The log of a peer that has sent a text, a fragmented text and a large message to an echo server, and has closed.
     */
    private static final List<String> CONVERSATION = List.of(TEXT, "in fragments", LARGE + " bytes", "closed 1000");

    private final BlockingQueue<String> log = new LinkedBlockingQueue<>();
    private Rig rig;
    private final MultiThreadIoEventLoopGroup netty4 = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

    /** Netty's channels; loops that are shut down may leave one open. */
    private final Queue<io.netty.channel.Channel> nettyChannels = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        if (rig != null) {
            rig.close();
        }
        nettyChannels.forEach(channel -> channel.close().awaitUninterruptibly());
        netty4.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    /** Before Java 21, a JDK client keeps its sockets until it is garbage collected. */
    @AfterAll
    static void collectClients() {
        System.gc();
    }

    private void shouldHaveConversed() throws InterruptedException {
        for (String expected : CONVERSATION) {
            assertEquals(expected, log.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        }
    }

    // ---- Freshet's server ----

    private URI serve(SocketTransport transport) {
        rig = transport.newRig();
        WebSocketServerConfig config = WebSocketServerConfig.builder("/echo").build();
        rig.server()
                .setPipelineFactory(() -> Channels.pipeline(
                        new HttpServerCodec(),
                        new WebSocketServerProtocolHandler(config),
                        new WebSocketFrameAggregator(1 << 20),
                        new WebSocketHandler() {
                            @Override
                            public void frameReceived(ChannelHandlerContext ctx, WebSocketFrame frame) {
                                ctx.getChannel().write(frame);
                            }

                            @Override
                            public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                                log.add("server: " + e.getCause());
                                e.getChannel().close();
                            }
                        }));
        InetSocketAddress address = (InetSocketAddress) rig.server()
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .getLocalAddress();
        return URI.create("ws://localhost:" + address.getPort() + "/echo");
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeTheJdkClient(SocketTransport transport) throws Exception {
        URI uri = serve(transport);
        CompletableFuture<Void> pong = new CompletableFuture<>();
        WebSocket client = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(uri, new WebSocket.Listener() {
                    private final StringBuilder text = new StringBuilder();
                    private int bytes;

                    @Override
                    public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
                        text.append(data);
                        if (last) {
                            log.add(text.toString());
                            text.setLength(0);
                        }
                        webSocket.request(1);
                        return null;
                    }

                    @Override
                    public CompletionStage<?> onBinary(WebSocket webSocket, ByteBuffer data, boolean last) {
                        bytes += data.remaining();
                        if (last) {
                            log.add(bytes + " bytes");
                        }
                        webSocket.request(1);
                        return null;
                    }

                    @Override
                    public CompletionStage<?> onPong(WebSocket webSocket, ByteBuffer message) {
                        pong.complete(null);
                        webSocket.request(1);
                        return null;
                    }

                    @Override
                    public CompletionStage<?> onClose(WebSocket webSocket, int code, String reason) {
                        log.add("closed " + code);
                        return null;
                    }
                })
                .get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
        client.sendText(TEXT, true).join();
        client.sendText("in ", false).join();
        client.sendPing(ByteBuffer.wrap(new byte[] {1})).join();
        client.sendText("fragments", true).join();
        client.sendBinary(ByteBuffer.wrap(new byte[LARGE]), true).join();
        Await.result(pong, "the pong");
        client.sendClose(1000, "").join();
        shouldHaveConversed();
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeANetty4Client(SocketTransport transport) throws Exception {
        URI uri = serve(transport);
        new Bootstrap()
                .group(netty4)
                .channel(NioSocketChannel.class)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        nettyChannels.add(channel);
                        channel.pipeline()
                                .addLast(
                                        new io.netty.handler.codec.http.HttpClientCodec(),
                                        new HttpObjectAggregator(8192),
                                        new io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler(
                                                uri,
                                                io.netty.handler.codec.http.websocketx.WebSocketVersion.V13,
                                                null,
                                                false,
                                                new DefaultHttpHeaders(),
                                                1 << 20,
                                                false),
                                        new Netty4Client());
                    }
                })
                .connect(uri.getHost(), uri.getPort())
                .sync();
        shouldHaveConversed();
    }

    private final class Netty4Client
            extends SimpleChannelInboundHandler<io.netty.handler.codec.http.websocketx.WebSocketFrame> {
        @Override
        public void userEventTriggered(io.netty.channel.ChannelHandlerContext ctx, Object event) {
            if (event
                    == io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler.ClientHandshakeStateEvent
                            .HANDSHAKE_COMPLETE) {
                ctx.write(new io.netty.handler.codec.http.websocketx.TextWebSocketFrame(TEXT));
                ctx.write(new io.netty.handler.codec.http.websocketx.TextWebSocketFrame(false, 0, "in "));
                ctx.write(new io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame(true, 0, "fragments"));
                ctx.write(new io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame(
                        Unpooled.wrappedBuffer(new byte[LARGE])));
                ctx.writeAndFlush(new io.netty.handler.codec.http.websocketx.CloseWebSocketFrame(1000, ""));
            }
        }

        @Override
        protected void channelRead0(
                io.netty.channel.ChannelHandlerContext ctx,
                io.netty.handler.codec.http.websocketx.WebSocketFrame frame) {
            if (frame instanceof io.netty.handler.codec.http.websocketx.TextWebSocketFrame text) {
                log.add(text.text());
            } else if (frame instanceof io.netty.handler.codec.http.websocketx.CloseWebSocketFrame close) {
                log.add("closed " + close.statusCode());
            } else {
                log.add(frame.content().readableBytes() + " bytes");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeANetty3ClientInEachVersion(SocketTransport transport) throws Exception {
        URI uri = serve(transport);
        org.jboss.netty.bootstrap.ClientBootstrap client = new org.jboss.netty.bootstrap.ClientBootstrap(
                new org.jboss.netty.channel.socket.oio.OioClientSocketChannelFactory());
        client.setPipelineFactory(() -> org.jboss.netty.channel.Channels.pipeline(
                new org.jboss.netty.handler.codec.http.HttpResponseDecoder(),
                new org.jboss.netty.handler.codec.http.HttpRequestEncoder(),
                new Netty3Client(uri)));
        try {
            client.connect(new InetSocketAddress(uri.getHost(), uri.getPort()));
            shouldHaveConversed();
        } finally {
            client.releaseExternalResources();
        }
    }

    private final class Netty3Client extends org.jboss.netty.channel.SimpleChannelUpstreamHandler {
        private final org.jboss.netty.handler.codec.http.websocketx.WebSocketClientHandshaker handshaker;

        Netty3Client(URI uri) {
            handshaker = new org.jboss.netty.handler.codec.http.websocketx.WebSocketClientHandshakerFactory()
                    .newHandshaker(
                            uri, org.jboss.netty.handler.codec.http.websocketx.WebSocketVersion.V13, null, false, null);
        }

        @Override
        public void channelConnected(
                org.jboss.netty.channel.ChannelHandlerContext ctx, org.jboss.netty.channel.ChannelStateEvent e)
                throws Exception {
            handshaker.handshake(e.getChannel());
        }

        @Override
        public void messageReceived(
                org.jboss.netty.channel.ChannelHandlerContext ctx, org.jboss.netty.channel.MessageEvent e) {
            Object message = e.getMessage();
            if (message instanceof org.jboss.netty.handler.codec.http.HttpResponse response) {
                handshaker.finishHandshake(e.getChannel(), response);
                e.getChannel().write(new org.jboss.netty.handler.codec.http.websocketx.TextWebSocketFrame(TEXT));
                e.getChannel()
                        .write(new org.jboss.netty.handler.codec.http.websocketx.TextWebSocketFrame(false, 0, "in "));
                e.getChannel()
                        .write(new org.jboss.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame(
                                true, 0, "fragments"));
                e.getChannel()
                        .write(new org.jboss.netty.handler.codec.http.websocketx.BinaryWebSocketFrame(
                                org.jboss.netty.buffer.ChannelBuffers.wrappedBuffer(new byte[LARGE])));
                e.getChannel().write(new org.jboss.netty.handler.codec.http.websocketx.CloseWebSocketFrame(1000, ""));
            } else if (message instanceof org.jboss.netty.handler.codec.http.websocketx.TextWebSocketFrame text) {
                log.add(text.getText());
            } else if (message instanceof org.jboss.netty.handler.codec.http.websocketx.CloseWebSocketFrame close) {
                log.add("closed " + close.getStatusCode());
            } else {
                log.add(((org.jboss.netty.handler.codec.http.websocketx.WebSocketFrame) message)
                                .getBinaryData()
                                .readableBytes()
                        + " bytes");
            }
        }

        @Override
        public void exceptionCaught(
                org.jboss.netty.channel.ChannelHandlerContext ctx, org.jboss.netty.channel.ExceptionEvent e) {
            log.add(e.getCause().toString());
        }
    }

    // ---- Freshet's client ----

    private void converse(SocketTransport transport, URI uri) {
        if (rig == null) {
            rig = transport.newRig();
        }
        WebSocketClientProtocolHandler webSocket = new WebSocketClientProtocolHandler(
                WebSocketClientConfig.builder(uri).build());
        rig.client()
                .setPipelineFactory(() -> Channels.pipeline(
                        new HttpClientCodec(), webSocket, new WebSocketFrameAggregator(1 << 20), new OurClient()));
        Channel channel = Await.success(
                        rig.client().connect(new InetSocketAddress(uri.getHost(), uri.getPort())), "the connection")
                .getChannel();
        Await.success(webSocket.handshakeFuture(), "the handshake");
        channel.write(new TextWebSocketFrame(TEXT));
        channel.write(new TextWebSocketFrame(false, 0, "in "));
        channel.write(new ContinuationWebSocketFrame(true, 0, "fragments"));
        channel.write(new BinaryWebSocketFrame(ChannelBuffers.wrappedBuffer(new byte[LARGE])));
    }

    /** Closes once everything has been echoed. */
    private final class OurClient extends WebSocketHandler {
        @Override
        public void frameReceived(ChannelHandlerContext ctx, WebSocketFrame frame) {
            if (frame instanceof TextWebSocketFrame text) {
                log.add(text.getText());
            } else {
                log.add(frame.getBinaryData().readableBytes() + " bytes");
                ctx.getChannel().write(new CloseWebSocketFrame(1000, ""));
            }
        }

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            log.add("closed 1000");
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            log.add(e.getCause().toString());
            e.getChannel().close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldTalkToFreshetsServer(SocketTransport transport) throws Exception {
        converse(transport, serve(transport));
        shouldHaveConversed();
    }

    @ParameterizedTest
    @EnumSource
    void shouldTalkToANetty4Server(SocketTransport transport) throws Exception {
        io.netty.channel.Channel server = new io.netty.bootstrap.ServerBootstrap()
                .group(netty4)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        nettyChannels.add(channel);
                        channel.pipeline()
                                .addLast(
                                        new io.netty.handler.codec.http.HttpServerCodec(),
                                        new HttpObjectAggregator(8192),
                                        new io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler(
                                                "/echo", null, false, 1 << 20),
                                        new SimpleChannelInboundHandler<
                                                io.netty.handler.codec.http.websocketx.WebSocketFrame>() {
                                            @Override
                                            protected void channelRead0(
                                                    io.netty.channel.ChannelHandlerContext ctx,
                                                    io.netty.handler.codec.http.websocketx.WebSocketFrame frame) {
                                                ctx.writeAndFlush(frame.retain());
                                            }
                                        });
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .sync()
                .channel();
        try {
            int port = ((InetSocketAddress) server.localAddress()).getPort();
            converse(transport, URI.create("ws://localhost:" + port + "/echo"));
            shouldHaveConversed();
        } finally {
            server.close().awaitUninterruptibly(); // loops that are shut down may leave it open
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldTalkToANetty3Server(SocketTransport transport) throws Exception {
        org.jboss.netty.bootstrap.ServerBootstrap server = new org.jboss.netty.bootstrap.ServerBootstrap(
                new org.jboss.netty.channel.socket.oio.OioServerSocketChannelFactory());
        server.setPipelineFactory(() -> org.jboss.netty.channel.Channels.pipeline(
                new org.jboss.netty.handler.codec.http.HttpRequestDecoder(),
                new org.jboss.netty.handler.codec.http.HttpResponseEncoder(),
                new Netty3Server()));
        org.jboss.netty.channel.Channel channel =
                server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        try {
            int port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
            converse(transport, URI.create("ws://localhost:" + port + "/echo"));
            shouldHaveConversed();
        } finally {
            channel.close().awaitUninterruptibly();
            rig.close();
            server.releaseExternalResources();
        }
    }

    private static final class Netty3Server extends org.jboss.netty.channel.SimpleChannelUpstreamHandler {
        private org.jboss.netty.handler.codec.http.websocketx.WebSocketServerHandshaker handshaker;

        @Override
        public void messageReceived(
                org.jboss.netty.channel.ChannelHandlerContext ctx, org.jboss.netty.channel.MessageEvent e) {
            Object message = e.getMessage();
            if (message instanceof org.jboss.netty.handler.codec.http.HttpRequest request) {
                handshaker = new org.jboss.netty.handler.codec.http.websocketx.WebSocketServerHandshakerFactory(
                                "ws://localhost/echo", null, false)
                        .newHandshaker(request);
                handshaker.handshake(e.getChannel(), request);
            } else if (message instanceof org.jboss.netty.handler.codec.http.websocketx.CloseWebSocketFrame close) {
                handshaker.close(e.getChannel(), close);
            } else {
                e.getChannel().write(message);
            }
        }

        @Override
        public void exceptionCaught(
                org.jboss.netty.channel.ChannelHandlerContext ctx, org.jboss.netty.channel.ExceptionEvent e) {
            e.getChannel().close();
        }
    }

    // ---- other languages ----

    private static final String NODE_CLIENT = "const W = require('ws'); const w = new W(process.argv[1]);"
            + "w.on('message', (m, b) => { console.log(b ? m.length + ' bytes' : m.toString()); if (b) w.close(1000); });"
            + "w.on('close', (c) => console.log('closed ' + c));"
            + "w.on('open', () => { w.send('" + TEXT
            + "'); w.send('in ', {fin: false}); w.send('fragments', {fin: true});"
            + " w.send(Buffer.alloc(" + LARGE + ")); });";

    private static final String NODE_SERVER = "const W = require('ws');"
            + "const s = new W.Server({host: 'localhost', port: 0}, () => console.log(s.address().port));"
            + "s.on('connection', (w) => { w.on('message', (m, b) => w.send(b ? m : m.toString()));"
            + " w.on('close', () => s.close()); });";

    private static final String PYTHON_CLIENT = "import sys\nfrom websockets.sync.client import connect\n"
            + "with connect(sys.argv[1], compression=None, proxy=None) as w:\n"
            + "  w.send('" + TEXT + "'); w.send(iter(['in ', 'fragments'])); w.send(bytes(" + LARGE + "))\n"
            + "  print(w.recv()); print(w.recv()); print(len(w.recv()), 'bytes')\n"
            + "  w.close(1000); print('closed', w.protocol.close_code)\n";

    private static final String PYTHON_SERVER = "from websockets.sync.server import serve\n"
            + "def echo(w):\n  for m in w: w.send(m)\n"
            + "s = serve(echo, 'localhost', 0)\n"
            + "print(s.socket.getsockname()[1], flush=True)\ns.serve_forever()\n";

    private void assumeRuns(String... command) throws InterruptedException {
        try {
            assumeTrue(new ProcessBuilder(command).start().waitFor() == 0, String.join(" ", command));
        } catch (IOException missing) {
            assumeTrue(false, missing.toString());
        }
    }

    private void runClient(String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("PYTHONIOENCODING", "utf-8");
        Process process = builder.start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            assertTrue(process.waitFor(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
            output.lines().forEach(log::add);
        } finally {
            process.destroyForcibly().waitFor();
        }
        shouldHaveConversed();
    }

    private void talkTo(String... serverCommand) throws Exception {
        Process process =
                new ProcessBuilder(serverCommand).redirectErrorStream(true).start();
        try (BufferedReader output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            converse(
                    SocketTransport.NIO,
                    URI.create("ws://localhost:" + output.readLine().trim() + "/echo"));
            shouldHaveConversed();
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void shouldServeANodeClient() throws Exception {
        assumeRuns("node", "-e", "require('ws')");
        runClient("node", "-e", NODE_CLIENT, serve(SocketTransport.NIO).toString());
    }

    @Test
    void shouldTalkToANodeServer() throws Exception {
        assumeRuns("node", "-e", "require('ws')");
        talkTo("node", "-e", NODE_SERVER);
    }

    @Test
    void shouldServeAPythonClient() throws Exception {
        assumeRuns("python3", "-c", "import websockets.sync.client");
        runClient("python3", "-c", PYTHON_CLIENT, serve(SocketTransport.NIO).toString());
    }

    @Test
    void shouldTalkToAPythonServer() throws Exception {
        assumeRuns("python3", "-c", "import websockets.sync.server");
        talkTo("python3", "-c", PYTHON_SERVER);
    }
}
