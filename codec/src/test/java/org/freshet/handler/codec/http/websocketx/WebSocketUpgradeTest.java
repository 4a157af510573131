package org.freshet.handler.codec.http.websocketx;

import static org.freshet.handler.codec.http.websocketx.Frames.hex;
import static org.freshet.handler.codec.http.websocketx.Frames.masked;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.bytes;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.endInput;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.request;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.takeSent;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpRequestDecoder;
import org.freshet.handler.codec.http.HttpRequestEncoder;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseDecoder;
import org.freshet.handler.codec.http.HttpResponseEncoder;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.internal.WebSocketProof;
import org.freshet.handler.codec.http.server.LingeringCloseHandler;
import org.freshet.handler.codec.http.websocketx.HandshakeTexts.Http;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The handlers of a connection before, during and after its switch to WebSocket. */
class WebSocketUpgradeTest {
    private final FakeTimer timer = new FakeTimer();

    @Nested
    class OfAClient {
        private WebSocketClientHandshaker handshaker(String url) {
            return new WebSocketClientHandshakerFactory()
                    .newHandshaker(URI.create(url), WebSocketVersion.V08, null, false, Map.of());
        }

        private HttpResponse answer(MemoryChannel channel, WebSocketClientHandshaker handshaker) throws Exception {
            handshaker.handshake(channel);
            HttpRequest request = (HttpRequest) channel.takeWritten().get(0);
            HttpResponse response =
                    new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS);
            response.headers().set("Upgrade", "websocket").set("Connection", "Upgrade");
            String key = request.headers().get("Sec-WebSocket-Key");
            response.headers().set("Sec-WebSocket-Accept", WebSocketProof.of(key));
            return response;
        }

        private List<String> namesAfter(ChannelHandler... handlers) throws Exception {
            // The codecs come later: the test sees the request as a message.
            MemoryChannel channel = MemoryChannel.connected();
            WebSocketClientHandshaker own = handshaker("ws://example.com");
            HttpResponse answer = answer(channel, own);
            for (int i = handlers.length - 1; i >= 0; i--) {
                channel.getPipeline().addFirst("h" + i, handlers[i]);
            }
            own.finishHandshake(channel, answer);
            List<String> names = channel.getPipeline().getNames();
            return names.subList(0, names.size() - 1);
        }

        @Test
        void shouldReplaceTheCodecAndRemoveTheAggregator() throws Exception {
            assertEquals(
                    List.of("ws-decoder", "ws-encoder"),
                    namesAfter(new HttpClientCodec(), new HttpChunkAggregator(100)));
            assertEquals(
                    List.of("ws-decoder", "ws-encoder"),
                    namesAfter(new HttpResponseDecoder(), new HttpChunkAggregator(100), new HttpRequestEncoder()));
        }

        @Test
        void shouldSayWhichHandlersItNeeds() {
            for (List<ChannelHandler> handlers : List.<List<ChannelHandler>>of(
                    List.of(), List.of(new HttpResponseDecoder()), List.of(new HttpRequestEncoder()))) {
                IllegalStateException failure = assertThrows(
                        IllegalStateException.class, () -> namesAfter(handlers.toArray(new ChannelHandler[0])));
                assertTrue(
                        failure.getMessage().startsWith("the pipeline has neither an HttpClientCodec nor both"),
                        failure::getMessage);
            }
        }

        @ParameterizedTest
        @CsvSource({
            "https://example.com, example.com, https://example.com",
            "https://example.com:443, example.com, https://example.com",
            "https://example.com:80, example.com:80, https://example.com:80",
            "http://example.com:80, example.com, http://example.com",
            "http://example.com:443, example.com:443, http://example.com:443",
            "WSS://example.com, example.com, https://example.com"
        })
        void shouldNameTheHostAndItsOrigin(String url, String host, String origin) {
            HttpRequest request = ClientUpgrade.request(URI.create(url), "Origin", null);
            assertEquals("/", request.getUri());
            assertEquals(host, request.headers().get("Host"));
            assertEquals(origin, request.headers().get("Origin"));
        }

        @ParameterizedTest
        @ValueSource(strings = {"ws:///chat", "ws:chat", "chat"})
        void shouldRefuseAUrlWithoutAHost(String url) {
            WebSocketHandshakeException refused = assertThrows(
                    WebSocketHandshakeException.class,
                    () -> ClientUpgrade.request(URI.create(url), "Origin", Map.of()));
            assertEquals("the WebSocket URL has no host: " + url, refused.getMessage());
        }

        @Test
        void shouldRefuseASubprotocolIfItAskedForNone() {
            HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            response.headers().add("P", "a");
            assertThrows(WebSocketHandshakeException.class, () -> ClientUpgrade.subprotocol(response, "P", null));
            assertEquals("a", ClientUpgrade.subprotocol(response, "P", " b , a "));
            response.headers().add("P", "b");
            assertThrows(WebSocketHandshakeException.class, () -> ClientUpgrade.subprotocol(response, "P", "b, a"));
        }
    }

    // ---- a lingering close ----

    static Stream<Arguments> codecs() {
        return Stream.of(
                        new HttpServerCodec(),
                        new HttpRequestDecoder(),
                        new HttpResponseEncoder(),
                        new WebSocket13FrameDecoder(true, false),
                        new WebSocket13FrameEncoder(false))
                .map(codec -> Arguments.of(codec.getClass().getSimpleName(), codec));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("codecs")
    void shouldLingerBelowTheLowestCodec(String name, ChannelHandler codec) {
        ChannelPipeline pipeline = Channels.pipeline();
        pipeline.addLast("below", new WebSocketHandler());
        pipeline.addLast("codec", codec);
        pipeline.addLast("codec above", new HttpRequestDecoder());
        LingeringClose.prepare(pipeline, null);
        LingeringClose.prepare(pipeline, null);
        assertEquals(
                List.of("below", LingeringCloseHandler.class.getName(), "codec", "codec above"), pipeline.getNames());
    }

    @Test
    void shouldNotLingerWithoutACodec() {
        ChannelPipeline pipeline = Channels.pipeline(new WebSocketHandler());
        LingeringClose.prepare(pipeline, null);
        assertEquals(1, pipeline.getNames().size());
    }

    // ---- the server's handlers ----

    private WebSocketServerConfig.Builder config() {
        return WebSocketServerConfig.builder("/chat").timer(timer);
    }

    private static final String PLAIN = "GET /page HTTP/1.1\r\nHost: example.com\r\n\r\n";

    @Test
    void shouldLimitTheTimeForTheHandshakeAlsoIfItIsAddedLater() {
        MemoryChannel channel = Http.CODEC.serverChannel();
        channel.getPipeline()
                .addLast(
                        "ws",
                        new WebSocketServerProtocolHandler(
                                config().handshakeTimeout(Duration.ofSeconds(5)).build()));
        timer.advanceMillis(4_999);
        assertTrue(channel.isOpen());
        timer.advanceMillis(1);
        assertFalse(channel.isOpen());
        assertEquals(CloseReason.Kind.TIMED_OUT, channel.getCloseReason().kind());
    }

    @Test
    void shouldStartOneTimeLimitForAConnection() {
        WebSocketServerProtocolHandler handler = new WebSocketServerProtocolHandler(config().build());
        MemoryChannel channel = Http.CODEC.serverChannel(handler);
        Channels.fireChannelConnected(channel, channel.getRemoteAddress());
        assertEquals(1, timer.pendingTimeouts());
        channel.getPipeline().remove(handler);
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldStartNoTimeLimitBeforeTheChannelIsConnected() {
        MemoryChannel channel =
                MemoryChannel.open(new HttpServerCodec(), new WebSocketServerProtocolHandler(config().build()));
        assertEquals(0, timer.pendingTimeouts());
        channel.getPipeline().addLast("second", new WebSocketServerProtocolHandler(config().build()));
        assertEquals(0, timer.pendingTimeouts());
        channel.close();
        Channels.pipeline(new WebSocketServerProtocolHandler(config().build()));
        assertEquals(0, timer.pendingTimeouts());
    }

    /** The time was over on the timer's thread before the handshake was done on the I/O thread. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotCloseAConnectionThatBeginsWhenItsTimeIsOver(boolean isWebSocket) {
        MemoryChannel channel = Http.CODEC
                .serverChannel(new WebSocketServerProtocolHandler(config().build()))
                .holdTasks();
        timer.advance(Duration.ofSeconds(10));
        channel.receive(bytes(isWebSocket ? request() : PLAIN));
        channel.runTasks();
        assertTrue(channel.isOpen());
    }

    @Test
    void shouldUseTheHandshakeHandlerThatThePipelineHas() {
        WebSocketServerProtocolHandshakeHandler own =
                new WebSocketServerProtocolHandshakeHandler("ws://x/y", null, false);
        MemoryChannel channel = Http.CODEC.serverChannel(own, new WebSocketServerProtocolHandler("ws://x/y"));
        assertSame(own, channel.getPipeline().get(WebSocketServerProtocolHandshakeHandler.class));
        assertEquals(
                1,
                channel.getPipeline().toMap().values().stream()
                        .filter(WebSocketServerProtocolHandshakeHandler.class::isInstance)
                        .count());
        channel.receive(bytes(request()));
        assertTrue(takeSent(channel).startsWith("HTTP/1.1 101 "));
        channel.receive(ChannelBuffers.wrappedBuffer(masked(0x89, "p")));
        assertEquals(List.of("Ping 70"), Frames.describe(channel.takeReceived()), "nobody told it of the handshake");
    }

    @Test
    void shouldGoOnWithoutASubprotocolThatBothSupport() {
        MemoryChannel channel = Http.CODEC.serverChannel(
                new WebSocketServerProtocolHandler(config().subprotocols("a").build()));
        channel.receive(bytes(request("Sec-WebSocket-Protocol: x, y")));
        String sent = takeSent(channel);
        assertTrue(sent.startsWith("HTTP/1.1 101 ") && !sent.contains("Protocol:"), sent);
    }

    @Test
    void shouldPassOnFramesWithoutAHandshake() {
        MemoryChannel channel = MemoryChannel.connected(new WebSocketServerProtocolHandler(config().build()));
        PingWebSocketFrame ping = new PingWebSocketFrame();
        channel.receive(ping);
        assertEquals(List.of(ping), channel.takeReceived());
        channel.write(ping);
        assertEquals(List.of(ping), channel.takeWritten());
    }

    @Test
    void shouldKnowTheStatusOfAFailureThatWasCopied() throws Exception {
        for (HttpResponseStatus status : List.of(HttpResponseStatus.FORBIDDEN, HttpResponseStatus.BAD_REQUEST)) {
            WebSocketHandshakeException failure = new WebSocketHandshakeException("planned", status);
            assertSame(status, failure.suggestedStatus());
            ByteArrayOutputStream copy = new ByteArrayOutputStream();
            new ObjectOutputStream(copy).writeObject(failure);
            Object read = new ObjectInputStream(new ByteArrayInputStream(copy.toByteArray())).readObject();
            assertSame(HttpResponseStatus.BAD_REQUEST, ((WebSocketHandshakeException) read).suggestedStatus());
        }
    }

    @Nested
    class TheHandshakeHandlerAlone {
        private final WebSocketServerProtocolHandshakeHandler handler =
                new WebSocketServerProtocolHandshakeHandler("ws://x/y", null, false);
        private final MemoryChannel channel = Http.DECODER_AND_ENCODER.serverChannel(handler);

        private void receive(Object message) {
            Channels.fireMessageReceived(below(), message);
        }

        /** The handler from which the handshake handler gets its events. */
        private ChannelHandlerContext below() {
            ChannelPipeline pipeline = channel.getPipeline();
            List<String> names = pipeline.getNames();
            int at = names.indexOf(pipeline.getContext(handler).getName());
            return pipeline.getContext(names.get(at - 1));
        }

        @Test
        void shouldPassOnMessagesThatAreNoRequests() {
            receive("other");
            receive(HttpChunk.LAST_CHUNK);
            assertEquals(List.of("other", HttpChunk.LAST_CHUNK), channel.takeReceived());
        }

        @Test
        void shouldPassOnFramesAndOtherMessagesAfterTheHandshake() {
            channel.receive(bytes(request()));
            takeSent(channel);
            receive("other");
            assertEquals(List.of("other"), channel.takeReceived());
            channel.receive(ChannelBuffers.wrappedBuffer(masked(0x89, "p")));
            assertEquals(List.of("Ping 70"), Frames.describe(channel.takeReceived()));
        }

        @Test
        void shouldAnswerAFailureThatAnEarlierHandlerReports() {
            Channels.fireExceptionCaught(below(), new WebSocketHandshakeException("planned"));
            String sent = takeSent(channel);
            assertTrue(sent.startsWith("HTTP/1.1 400 Bad Request\r\n"), sent);
            assertTrue(sent.contains("\r\n\r\nplanned"), sent);
            assertEquals(List.of(), channel.takeCaught());
        }

        @Test
        void shouldPassOnOtherFailures() {
            IllegalStateException other = new IllegalStateException("planned");
            Channels.fireExceptionCaught(below(), other);
            handler.exceptionCaught(channel.getPipeline().getContext(handler), other);
            assertEquals(List.of(other, other), channel.takeCaught());
            assertEquals("", takeSent(channel));
        }

        /** An HTTP response would not be understood. */
        @Test
        void shouldPassOnFailuresAfterTheHandshake() {
            channel.receive(bytes(request()));
            takeSent(channel);
            WebSocketHandshakeException late = new WebSocketHandshakeException("planned");
            Channels.fireExceptionCaught(below(), late);
            assertEquals(List.of(late), channel.takeCaught());
            assertEquals("", takeSent(channel));
        }

        @Test
        void shouldDropEverythingAfterARefusal() {
            channel.receive(bytes(request().replace("Upgrade: websocket", "Upgrade: h2c")));
            assertTrue(takeSent(channel).startsWith("HTTP/1.1 400 "));
            receive("late");
            assertEquals(List.of(), channel.takeReceived());
            endInput(channel);
            assertFalse(channel.isOpen());
            assertEquals(CloseReason.Kind.PROTOCOL, channel.getCloseReason().kind());
        }
    }

    // ---- what the application gets ----

    @Test
    void shouldPassOnEventsThatAHandlerDoesNotOverride() {
        MemoryChannel channel = MemoryChannel.connected(new WebSocketHandler());
        channel.takeUpstream();
        TextWebSocketFrame frame = new TextWebSocketFrame("x");
        WebSocketHandshakeEvent event = new WebSocketHandshakeEvent(channel, null, "chat");
        channel.getPipeline().sendUpstream(event);
        channel.receive(frame);
        channel.receive("other");
        assertEquals(List.of(frame, "other"), channel.takeReceived());
        assertSame(event, channel.takeUpstream().get(0));
    }

    @Test
    void shouldDescribeTheHandshake() {
        MemoryChannel channel = MemoryChannel.connected();
        WebSocketHandshakeEvent event = new WebSocketHandshakeEvent(channel, null, "chat");
        assertSame(channel, event.getChannel());
        assertTrue(event.getFuture().isSuccess());
        assertSame(channel, event.getFuture().getChannel());
        assertEquals(channel + " WEBSOCKET chat", event.toString());
        assertEquals(channel + " WEBSOCKET", new WebSocketHandshakeEvent(channel, null, null).toString());
        assertNull(event.getHttpMessage());
        assertThrows(NullPointerException.class, () -> new WebSocketHandshakeEvent(null, null, null));
    }

    @Test
    void shouldAllowClientsWithoutAnOrigin() {
        WebSocketServerConfig config =
                config().allowOrigins("https://a.example").build();
        MemoryChannel channel = Http.CODEC.serverChannel(new WebSocketServerProtocolHandler(config));
        channel.receive(bytes(request()));
        assertTrue(takeSent(channel).startsWith("HTTP/1.1 101 "));
        assertThrows(NullPointerException.class, () -> config().allowIf(null));
    }

    @Test
    void shouldAllowWhatTheApplicationAllows() {
        WebSocketServerConfig config =
                config().allowIf(request -> request.getUri().equals("/chat")).build();
        MemoryChannel channel = Http.CODEC.serverChannel(new WebSocketServerProtocolHandler(config));
        channel.receive(bytes(request("Origin: http://other.example")));
        assertTrue(takeSent(channel).startsWith("HTTP/1.1 101 "));
    }

    @Test
    void shouldSendNoFrameThatCannotBeEncoded() {
        MemoryChannel channel = MemoryChannel.connected(new WebSocket13FrameEncoder(false));
        WebSocketFrame unknown = new WebSocketFrame() {};
        assertInstanceOf(
                UnsupportedOperationException.class, channel.write(unknown).getCause());
        channel.write(new PongWebSocketFrame(ChannelBuffers.wrappedBuffer(hex("01"))));
        assertEquals(List.of("bytes 8a0101"), Frames.describe(channel.takeWritten()));
    }
}
