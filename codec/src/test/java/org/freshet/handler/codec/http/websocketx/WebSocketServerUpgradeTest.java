package org.freshet.handler.codec.http.websocketx;

import static org.freshet.handler.codec.http.websocketx.Frames.masked;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.bytes;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.request;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.takeSent;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.Exchanges;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpRequestDecoder;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseEncoder;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.websocketx.HandshakeTexts.Http;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a server's pipeline contains and answers when a handshake succeeds, fails, or has to wait. */
class WebSocketServerUpgradeTest {
    private final FakeTimer timer = new FakeTimer();

    private WebSocketServerConfig.Builder config() {
        return WebSocketServerConfig.builder("/chat").timer(timer);
    }

    private MemoryChannel channel(Http http, WebSocketServerConfig.Builder config) {
        return http.serverChannel(new WebSocketServerProtocolHandler(config.build()));
    }

    private static HttpRequest parsed(String request) {
        MemoryChannel parser = Http.CODEC.serverChannel();
        parser.receive(bytes(request));
        return (HttpRequest) parser.takeReceived().get(0);
    }

    private static boolean speaksHttp(MemoryChannel channel) {
        return channel.getPipeline().get(HttpServerCodec.class) != null
                || channel.getPipeline().get(HttpResponseEncoder.class) != null;
    }

    // ---- the pipeline ----

    @ParameterizedTest
    @EnumSource
    void shouldRemoveTheHttpHandlersOnceTheAnswerIsWritten(Http http) {
        MemoryChannel channel = channel(http, config()).holdWrites();
        channel.receive(bytes(request()));
        assertNull(channel.getPipeline().get(HttpRequestDecoder.class));
        assertTrue(speaksHttp(channel), "it may still hold the answer");
        channel.completeWrites();
        assertFalse(speaksHttp(channel));
    }

    @ParameterizedTest
    @EnumSource
    void shouldReportAnAnswerThatCannotBeWritten(Http http) {
        MemoryChannel channel = channel(http, config()).holdWrites();
        channel.receive(bytes(request()));
        IllegalStateException planned = new IllegalStateException("planned");
        channel.failWrites(planned);
        assertTrue(speaksHttp(channel));
        assertEquals(List.of(planned), channel.takeCaught());
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotMindIfTheHttpHandlerIsGoneBefore(Http http) {
        try (CapturedLog log = CapturedLog.start()) {
            MemoryChannel channel = channel(http, config()).holdWrites();
            channel.receive(bytes(request()));
            channel.getPipeline().toMap().forEach((name, handler) -> {
                if (handler instanceof HttpServerCodec || handler instanceof HttpResponseEncoder) {
                    channel.getPipeline().remove(handler);
                }
            });
            channel.completeWrites();
            assertEquals(List.of(), channel.takeCaught());
            assertEquals(List.of(), log.messages());
        }
    }

    @Test
    void shouldNeedBothADecoderAndAnEncoder() {
        WebSocketServerHandshaker handshaker = new WebSocketServerHandshaker13("ws://x", null, false);
        HttpRequest request = parsed(request());
        for (ChannelHandler alone : List.of(new HttpRequestDecoder(), new HttpResponseEncoder())) {
            MemoryChannel channel = MemoryChannel.connected(alone);
            assertTrue(assertThrows(IllegalStateException.class, () -> handshaker.handshake(channel, request))
                    .getMessage()
                    .startsWith("the pipeline has neither an HttpServerCodec nor both"));
            assertNull(channel.getPipeline().get("wsencoder"));
            assertEquals(List.of(), channel.takeWritten());
        }
    }

    @Test
    void shouldReturnTheFutureOfTheAnswer() {
        WebSocketServerHandshakerFactory factory = new WebSocketServerHandshakerFactory("ws://x", null, false);
        for (String version : List.of("7", "8", "13", "none", "12")) {
            MemoryChannel channel = Http.CODEC.serverChannel();
            HttpRequest request = parsed(
                    version.equals("none")
                            ? request("Origin: http://x").replace("Sec-WebSocket-Version: 13\r\n", "")
                            : request().replace("Version: 13", "Version: " + version));
            WebSocketServerHandshaker handshaker = factory.newHandshaker(request);
            ChannelFuture answered = handshaker == null
                    ? factory.sendUnsupportedWebSocketVersionResponse(channel)
                    : handshaker.handshake(channel, request);
            assertTrue(answered.isSuccess(), version);
            assertFalse(takeSent(channel).isEmpty());
        }
    }

    @Test
    void shouldPassOnTheEventsOfTheChannel() {
        List<String> states = new ArrayList<>();
        MemoryChannel channel = channel(Http.CODEC, config());
        channel.setReadable(false);
        channel.receive(bytes(request()));
        channel.setReadable(true);
        channel.close();
        channel.takeUpstream().forEach(e -> {
            if (e instanceof ChannelStateEvent state && state.getState() != ChannelState.BOUND) {
                states.add(state.getState() + (Boolean.FALSE.equals(state.getValue()) ? " false" : ""));
            }
        });
        assertEquals(List.of("OPEN", "CONNECTED", "INTEREST_OPS", "INTEREST_OPS", "CONNECTED", "OPEN false"), states);
    }

    @Test
    void shouldEndQuietlyBeforeTheHandshake() {
        MemoryChannel channel = channel(Http.CODEC, config());
        channel.close();
        assertEquals(List.of(), channel.takeCaught());
        assertEquals("", takeSent(channel));
        assertEquals(0, timer.pendingTimeouts());
    }

    // ---- refusals ----

    /** Two keys, or one that is not of 16 bytes, whatever its length as text. */
    @Test
    void shouldRefuseOtherKeys() {
        for (String key : List.of(
                "A".repeat(24),
                "!".repeat(24),
                HandshakeTexts.KEY.replace("=", ""),
                HandshakeTexts.KEY + "\r\nSec-WebSocket-Key: " + HandshakeTexts.KEY)) {
            MemoryChannel channel = channel(Http.CODEC, config());
            channel.receive(bytes(request().replace(HandshakeTexts.KEY, key)));
            String sent = takeSent(channel);
            assertTrue(sent.startsWith("HTTP/1.1 400 ") && sent.contains("its key is not 16 bytes in Base64"), sent);
        }
    }

    /** Another version would not help a client that doesn't ask for WebSocket. */
    @Test
    void shouldCheckTheRequestBeforeItsVersion() {
        MemoryChannel channel = channel(Http.CODEC, config());
        channel.receive(
                bytes(request().replace("Version: 13", "Version: 12").replace("Upgrade: websocket", "Upgrade: h2c")));
        assertTrue(takeSent(channel).startsWith("HTTP/1.1 400 "));
    }

    @Test
    void shouldCheckTheRequestOfDraft00() {
        WebSocketServerHandshaker00 server = new WebSocketServerHandshaker00("ws://x", null);
        String good = request("Origin: http://x").replace("Sec-WebSocket-Version: 13\r\n", "");
        HttpRequest bad = parsed(good.replace("Upgrade: websocket", "Upgrade: h2c"));
        MemoryChannel channel = Http.CODEC.serverChannel();
        assertThrows(WebSocketHandshakeException.class, () -> server.handshake(channel, bad));
        assertEquals("", takeSent(channel));
    }

    /** The application's own code may fail for one request and not for the next. */
    @Test
    void shouldExamineTheNextRequestAfterAFailure() {
        boolean[] hasFailed = {false};
        WebSocketExtensionNegotiator failsOnce = new WebSocketExtensionNegotiator() {
            @Override
            public String name() {
                return "x";
            }

            @Override
            public Accepted accept(WebSocketExtensionSpec offer, HttpLimits limits) {
                if (!hasFailed[0]) {
                    hasFailed[0] = true;
                    throw new IllegalStateException("planned");
                }
                return null;
            }

            @Override
            public List<WebSocketExtensionSpec> offers() {
                return List.of();
            }

            @Override
            public WebSocketExtension agree(WebSocketExtensionSpec answer, HttpLimits limits) {
                throw new AssertionError();
            }
        };
        MemoryChannel channel = channel(Http.DECODER_AND_ENCODER, config().extensions(failsOnce));
        channel.receive(bytes(request("Sec-WebSocket-Extensions: x")));
        assertEquals("planned", channel.takeCaught().get(0).getMessage());
        assertEquals("", takeSent(channel));
        channel.receive(bytes(request("Sec-WebSocket-Extensions: x")));
        assertTrue(takeSent(channel).startsWith("HTTP/1.1 101 "));
        channel.receive(ChannelBuffers.wrappedBuffer(masked(0x89, "p")));
        assertEquals(List.of("bytes 8a0170"), Frames.describe(channel.takeWritten()));
    }

    // ---- the turn of a request ----

    private static HttpResponse emptyResponse() {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        HttpHeaders.setContentLength(response, 0);
        return response;
    }

    private MemoryChannel afterAnotherRequest(String request) {
        HttpLimits limits =
                HttpLimits.standard().toBuilder().maxPipelinedRequests(4).build();
        MemoryChannel channel = MemoryChannel.connected(
                new HttpServerCodec(limits), new WebSocketServerProtocolHandler(config().build()));
        channel.receive(bytes("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n" + request));
        assertEquals(1, channel.takeReceived().size(), "the first request alone");
        return channel;
    }

    /** Only passing the response on matters: it may take long until it is sent. */
    @Test
    void shouldAnswerRightAfterTheEarlierResponseEvenIfNothingIsSentYet() {
        MemoryChannel channel = afterAnotherRequest(request()).holdWrites();
        channel.write(emptyResponse());
        String sent = takeSent(channel);
        assertTrue(sent.startsWith("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 101 "), sent);
    }

    @Test
    void shouldDropWhatFollowsARequestThatWaits() {
        MemoryChannel channel = afterAnotherRequest(request().replace("Connection: Upgrade", "X: y"));
        channel.receive(bytes("GET /more HTTP/1.1\r\nHost: a\r\n\r\n"));
        assertEquals(List.of(), channel.takeReceived());
        channel.write(emptyResponse());
        assertTrue(takeSent(channel).contains("\r\n\r\nHTTP/1.1 400 "));
        assertEquals(List.of(), channel.takeReceived());
    }

    /** Such as an HTTP/2 stream: there is no codec to replace. */
    @Test
    void shouldPutItsCodersFirstOnAChannelThatCarriesHttpItself() {
        ChannelHandler application = new SimpleChannelHandler();
        ChannelPipeline pipeline = Channels.pipeline();
        pipeline.addLast("application", application);
        List<Object> written = new ArrayList<>();
        ChannelFuture answered = Channels.succeededFuture(MemoryChannel.open());
        Channel stream = (Channel) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Channel.class, Exchanges.Carrier.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("getPipeline")) {
                        return pipeline;
                    }
                    assertEquals("write", method.getName());
                    written.add(arguments[0]);
                    return answered;
                });
        HttpResponse response = emptyResponse();
        ChannelHandler encoder = new WebSocket13FrameEncoder(false);
        ChannelHandler decoder = new WebSocket13FrameDecoder(true, false);
        assertSame(answered, ServerUpgrade.complete(stream, response, encoder, decoder));
        assertEquals(List.of(response), written);
        assertEquals(
                List.of(decoder, encoder, application),
                List.copyOf(pipeline.toMap().values()));
    }
}
