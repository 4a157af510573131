package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.data;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.SocketTransport;
import org.freshet.handler.codec.http.websocketx.BinaryWebSocketFrame;
import org.freshet.handler.codec.http.websocketx.CloseWebSocketFrame;
import org.freshet.handler.codec.http.websocketx.PerMessageDeflate;
import org.freshet.handler.codec.http.websocketx.TextWebSocketFrame;
import org.freshet.handler.codec.http.websocketx.WebSocketClientConfig;
import org.freshet.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import org.freshet.handler.codec.http.websocketx.WebSocketHandshakeEvent;
import org.freshet.handler.codec.http.websocketx.WebSocketServerConfig;
import org.freshet.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import org.freshet.internal.drain.ChannelDrain;
import org.freshet.testing.Await;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** WebSocket on streams (RFC 8441), with the HTTP/1.1 handlers. */
class Http2WebSocketTest {
    private static final Http2Settings SETTINGS_WITH =
            Http2Settings.defaults().toBuilder().webSocket(true).build();

    private static String[] connect(String... more) {
        String[] fields = {
            ":method",
            "CONNECT",
            ":protocol",
            "websocket",
            ":scheme",
            "http",
            ":path",
            "/echo",
            ":authority",
            "example.com",
            "sec-websocket-version",
            "13"
        };
        String[] all = java.util.Arrays.copyOf(fields, fields.length + more.length);
        System.arraycopy(more, 0, all, fields.length, more.length);
        return all;
    }

    /** A single-frame text message from a client whose mask is zero. */
    private static byte[] masked(String text) {
        return data(1, false, "\u0081" + (char) (0x80 | text.length()) + "\0\0\0\0" + text)
                .clone();
    }

    private static final class Echo extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            ctx.getChannel().write(e.getMessage());
        }
    }

    @Nested
    class Frames {
        private final FramePeer peer = FramePeer.client(new Http2ServerHandler(
                () -> Channels.pipeline(
                        new WebSocketServerProtocolHandler(
                                WebSocketServerConfig.builder("/echo").build()),
                        new Echo()),
                SETTINGS_WITH));

        @Test
        void shouldOfferWebSocket() {
            FramePeer other = new FramePeer(new Http2ServerHandler(() -> Channels.pipeline(new Echo()), SETTINGS_WITH));
            other.send(Http2ServerHandler.PREFACE);
            String settings = java.util.HexFormat.of()
                    .formatHex(other.frames().get(0).payload().toByteBuffer().array());
            assertTrue(settings.endsWith("000800000001"), settings);
        }

        @Test
        void shouldAnswerAndCarryFrames() {
            peer.send(peer.headers(1, false, connect()));
            assertEquals(List.of("HEADERS 1 :status=200"), peer.lines());

            peer.send(masked("hello"));

            assertEquals(List.of("DATA 1 '\u0081\u0005hello'"), peer.lines());
        }

        @Test
        void shouldEndTheStreamAfterTheCloseFrames() {
            peer.send(peer.headers(1, false, connect()));
            peer.lines();

            peer.send(data(1, false, "\u0088\u0082\0\0\0\0\u0003\u00e8"));

            assertEquals(
                    List.of("DATA 1 '\u0088\u0002\u0003\u00e8'", "DATA 1 '' END", "RST_STREAM 1 NO_ERROR"),
                    peer.lines());
            assertTrue(peer.channel.isOpen());
        }

        /** WebSocket has no half-closed connections. */
        @Test
        void shouldEndTheStreamWithItsClient() {
            peer.send(peer.headers(1, false, connect()));
            peer.lines();

            peer.send(data(1, true, ""));

            assertEquals(List.of("DATA 1 '' END"), peer.lines());
        }

        @Test
        void shouldEndAStreamThatItsClientEndedBeforeTheAnswer() {
            StreamLog log = new StreamLog();
            FramePeer client = FramePeer.client(new Http2ServerHandler(log::pipeline, SETTINGS_WITH));
            client.send(client.headers(1, false, connect()));
            log.take();
            client.send(data(1, true, ""));
            assertEquals(List.of(), log.take(), "unlike CONNECT, it has no half-closed connections");

            log.last().write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS));

            assertEquals(List.of("HEADERS 1 :status=200", "DATA 1 '' END"), client.lines());
            assertFalse(log.last().isOpen());
        }

        @Test
        void shouldRefuseAnotherPathLikeOverHttp11() {
            FramePeer client = FramePeer.client(new Http2ServerHandler(
                    () -> Channels.pipeline(
                            new WebSocketServerProtocolHandler(
                                    WebSocketServerConfig.builder("/other").build()),
                            new SimpleChannelUpstreamHandler() {
                                @Override
                                public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                                    assertEquals(
                                            "GET",
                                            ((HttpRequest) e.getMessage())
                                                    .getMethod()
                                                    .getName());
                                    ctx.getChannel()
                                            .write(new DefaultHttpResponse(
                                                    HttpVersion.HTTP_1_1, HttpResponseStatus.NOT_FOUND));
                                }
                            }),
                    SETTINGS_WITH));
            client.send(client.headers(1, false, connect()));

            assertEquals(List.of("HEADERS 1 :status=404 END"), client.lines());
        }

        /** A 200 would mean that the tunnel is open. */
        @Test
        void shouldNotOpenATunnelForAHandlerThatDoesNotSupportIt() {
            FramePeer client = FramePeer.client(
                    new Http2ServerHandler(() -> Channels.pipeline(new SampleService()), SETTINGS_WITH));
            client.send(client.headers(1, false, connect()));

            assertEquals(List.of("HEADERS 1 :status=501 content-length=0 END"), client.lines());
        }

        /** A tunnel would stay open forever; the server sends a close frame in its protocol and a GOAWAY in HTTP/2. */
        @Test
        void shouldSendGoingAwayWhenTheConnectionIsDrained() {
            peer.send(peer.headers(1, false, connect()));
            peer.lines();
            ChannelDrain drain = ChannelDrain.start(peer.channel, TimeUnit.DAYS.toNanos(1), Runnable::run);
            List<String> lines = peer.lines();
            assertTrue(lines.contains("GOAWAY 2147483647 NO_ERROR"), lines.toString());
            assertTrue(lines.contains("DATA 1 '\u0088\u0002\u0003\u00e9'"), lines.toString()); // 1001, going away

            peer.send(
                    frame(FramePeer.PING, FramePeer.ACK, 0, new byte[] {0, 0, 0, 'd', 'r', 'a', 'i', 'n'}),
                    data(1, true, "\u0088\u0082\0\0\0\0\u0003\u00e9"));

            assertFalse(peer.channel.isOpen());
            assertEquals(ChannelDrain.Outcome.FINISHED, drain.ended().join().outcome());
        }

        @Test
        void shouldRefuseAnotherProtocol() {
            String[] fields = connect();
            fields[3] = "webtransport";
            peer.send(peer.headers(1, false, fields));

            assertEquals(List.of("HEADERS 1 :status=501 content-length=0 END", "RST_STREAM 1 NO_ERROR"), peer.lines());
        }

        @Test
        void shouldResetAStreamWithContentBeforeTheAnswer() {
            FramePeer client = FramePeer.client(
                    new Http2ServerHandler(() -> Channels.pipeline(new SimpleChannelUpstreamHandler()), SETTINGS_WITH));
            client.send(client.headers(1, false, connect()), masked("early"));

            assertEquals(List.of("RST_STREAM 1 PROTOCOL_ERROR"), client.lines());
        }

        @Test
        void shouldRefuseWebSocketByDefault() {
            StreamLog log = new StreamLog();
            FramePeer client = FramePeer.client(new Http2ServerHandler(log::pipeline));
            client.send(client.headers(1, false, connect()));

            assertEquals(List.of("RST_STREAM 1 PROTOCOL_ERROR"), client.lines());
            assertEquals(List.of(), log.channels);
        }
    }

    @Nested
    class OfAClient {
        private final BlockingQueue<Object> seen = new LinkedBlockingQueue<>();

        private ChannelPipeline pipeline() {
            return Channels.pipeline(
                    new WebSocketClientProtocolHandler(
                            WebSocketClientConfig.builder(URI.create("ws://example.com/echo"))
                                    .build()),
                    new Recorder(seen));
        }

        /** The server's SETTINGS determine whether the client may ask. */
        @Test
        void shouldWaitForTheServersSettings() {
            FramePeer server = new FramePeer(new Http2ClientHandler());
            Http2ClientConnection connection = Http2ClientConnection.of(server.channel);
            connection.open(pipeline());
            server.channel.takeWritten();

            server.send(FramePeer.setting(0x8, 1));

            List<String> lines = server.lines();
            assertTrue(
                    lines.get(0)
                            .startsWith("HEADERS 1 :method=CONNECT :protocol=websocket :scheme=http"
                                    + " :authority=example.com :path=/echo"),
                    lines.toString());
            assertFalse(lines.get(0).contains("upgrade") || lines.get(0).contains("key"), lines.get(0));
        }

        /** The handshake's answer proves nothing over HTTP/2, but handlers for HTTP/1.1 expect it. */
        @Test
        void shouldAnswerTheHandshakeThatItsHandlersHaveWritten() {
            FramePeer server = new FramePeer(new Http2ClientHandler());
            Channel stream =
                    Http2ClientConnection.of(server.channel).open(pipeline()).getChannel();
            server.send(FramePeer.setting(0x8, 1), server.headers(1, false, ":status", "200"));
            assertEquals(List.of("switched"), List.copyOf(seen));
            assertTrue(stream.isOpen());
            server.send(data(1, false, "\u0081\u0002hi"));
            assertEquals(List.of("switched", "hi"), List.copyOf(seen));
        }

        /** The stream was opened before, so it may continue. */
        @Test
        void shouldSendTheRequestWhenSettingsArriveWhileTheConnectionDrains() {
            FramePeer server = new FramePeer(new Http2ClientHandler());
            Http2ClientConnection connection = Http2ClientConnection.of(server.channel);
            Channel stream = connection.open(pipeline()).getChannel();
            connection.drain();
            server.channel.takeWritten();

            server.send(FramePeer.setting(0x8, 1));

            List<String> lines = server.lines();
            assertTrue(lines.get(0).startsWith("HEADERS 1 :method=CONNECT :protocol=websocket"), lines.toString());
            assertTrue(stream.isOpen());
        }

        @Test
        void shouldWaitForSettingsThatArriveAfterTheDrainHasBegun() {
            FramePeer server = new FramePeer(new Http2ClientHandler());
            Http2ClientConnection connection = Http2ClientConnection.of(server.channel);
            Channel stream =
                    connection.open(Channels.pipeline(new Recorder(seen))).getChannel();
            connection.drain();
            server.channel.takeWritten();
            DefaultHttpRequest upgrade = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/echo");
            upgrade.headers().set("Host", "example.com");
            upgrade.headers().set("Connection", "Upgrade");
            upgrade.headers().set("Upgrade", "websocket");
            stream.write(upgrade);
            assertEquals(List.of(), server.lines());

            server.send(FramePeer.setting(0x8, 1));

            List<String> lines = server.lines();
            assertTrue(lines.get(0).startsWith("HEADERS 1 :method=CONNECT :protocol=websocket"), lines.toString());
        }

        @Test
        void shouldFailIfTheConnectionEndsBeforeItsSettings() {
            FramePeer server = new FramePeer(new Http2ClientHandler());
            Channel stream =
                    Http2ClientConnection.of(server.channel).open(pipeline()).getChannel();

            server.channel.close();

            assertFalse(stream.isOpen());
            assertFalse(seen.stream().anyMatch(each -> each.toString().contains("RFC 8441")), seen::toString);
            assertTrue(seen.contains("closed"), seen::toString);
        }

        @Test
        void shouldFailIfTheServerDoesNotSupportIt() {
            FramePeer server = FramePeer.server(new Http2ClientHandler());
            Channel stream =
                    Http2ClientConnection.of(server.channel).open(pipeline()).getChannel();

            assertEquals(List.of(), server.lines());
            assertTrue(seen.stream().anyMatch(each -> each.toString().contains("RFC 8441")), seen::toString);
            assertTrue(stream.getParent().isOpen());
        }
    }

    private static final class Recorder extends SimpleChannelUpstreamHandler {
        private final BlockingQueue<Object> seen;

        Recorder(BlockingQueue<Object> seen) {
            this.seen = seen;
        }

        @Override
        public void handleUpstream(ChannelHandlerContext ctx, org.freshet.channel.ChannelEvent e) throws Exception {
            if (e instanceof WebSocketHandshakeEvent) {
                seen.add("switched");
            }
            super.handleUpstream(ctx, e);
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            Object frame = e.getMessage();
            seen.add(
                    frame instanceof TextWebSocketFrame text
                            ? text.getText()
                            : frame instanceof BinaryWebSocketFrame binary
                                    ? binary.getBinaryData().readableBytes()
                                    : frame);
        }

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            seen.add("closed");
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            seen.add(e.getCause());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldTalkOverSocketsAlongsideOtherStreams(SocketTransport transport) throws Exception {
        ServerBootstrap server = transport.newServer();
        ClientBootstrap client = transport.newClient();
        BlockingQueue<Object> seen = new LinkedBlockingQueue<>();
        try {
            server.setPipelineFactory(() -> Channels.pipeline(new Http2ServerHandler(
                    () -> Channels.pipeline(
                            new WebSocketServerProtocolHandler(WebSocketServerConfig.builder("/echo")
                                    .extensions(PerMessageDeflate.defaults())
                                    .build()),
                            new Echo()),
                    SETTINGS_WITH)));
            client.setPipelineFactory(() -> Channels.pipeline(new Http2ClientHandler()));
            Channel bound = server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Channel channel = Await.success(client.connect(bound.getLocalAddress()), "a connection")
                    .getChannel();
            Http2ClientConnection connection = Http2ClientConnection.of(channel);
            URI uri = URI.create("ws://localhost/echo");
            Channel stream = connection
                    .open(Channels.pipeline(
                            new WebSocketClientProtocolHandler(
                                    WebSocketClientConfig.builder(uri).build()),
                            new Recorder(seen)))
                    .getChannel();
            assertEquals("switched", next(seen));

            stream.write(new TextWebSocketFrame("hello"));
            assertEquals("hello", next(seen));
            byte[] much = new byte[900_000]; // several windows
            stream.write(new BinaryWebSocketFrame(org.freshet.buffer.ChannelBuffers.wrappedBuffer(much)));
            assertEquals(much.length, next(seen));

            stream.write(new CloseWebSocketFrame(1000, "bye"));
            Object last = next(seen);
            while (!"closed".equals(last)) {
                last = next(seen);
            }
            assertTrue(channel.isOpen());
            assertFalse(stream.isOpen());
        } finally {
            client.releaseExternalResources();
            server.releaseExternalResources();
        }
    }

    private static Object next(BlockingQueue<Object> seen) throws InterruptedException {
        return seen.poll(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    }
}
