package org.freshet.handler.codec.http.websocketx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.testing.FakeTimer;
import org.junit.jupiter.api.Test;

/** What handshakers and their configurations hold before the first message. */
class WebSocketHandshakersTest {
    private static final URI URL = URI.create("ws://example.com/chat");
    private static final Map<String, String> HEADERS = Map.of("a", "b");
    private static final long DEFAULT_FRAME = HttpLimits.defaults().maxWebSocketFrameSize();

    private static void assertServer(
            WebSocketVersion version, long maxFrameBytes, WebSocketServerHandshaker handshaker) {
        assertEquals(version, handshaker.getVersion());
        assertEquals("/chat", handshaker.getWebSocketUrl());
        assertEquals(List.of("b", "a"), List.copyOf(handshaker.getSubprotocols()), "in order");
        assertEquals(maxFrameBytes, handshaker.getMaxFramePayloadLength());
        assertSame(HttpLimits.defaults(), handshaker.limits());
        assertNull(handshaker.getSelectedSubprotocol());
    }

    private static void assertClient(
            WebSocketVersion version, long maxFrameBytes, WebSocketClientHandshaker handshaker) {
        assertEquals(version, handshaker.getVersion());
        assertEquals(URL, handshaker.getWebSocketUrl());
        assertEquals("b, a", handshaker.getExpectedSubprotocol());
        assertSame(HEADERS, handshaker.customHeaders);
        assertEquals(maxFrameBytes, handshaker.getMaxFramePayloadLength());
        assertSame(HttpLimits.defaults(), handshaker.limits());
        assertNull(handshaker.getActualSubprotocol());
        assertFalse(handshaker.isHandshakeComplete());
    }

    @Test
    void shouldHoldWhatAServersHandshakerIsGiven() {
        assertServer(WebSocketVersion.V00, DEFAULT_FRAME, new WebSocketServerHandshaker00("/chat", "b, a"));
        assertServer(WebSocketVersion.V00, 7, new WebSocketServerHandshaker00("/chat", "b, a", 7));
        assertServer(WebSocketVersion.V07, 7, new WebSocketServerHandshaker07("/chat", "b, a", true, 7));
        assertServer(WebSocketVersion.V08, DEFAULT_FRAME, new WebSocketServerHandshaker08("/chat", "b, a", true));
        assertServer(WebSocketVersion.V08, 7, new WebSocketServerHandshaker08("/chat", "b, a", true, 7));
        assertServer(WebSocketVersion.V13, DEFAULT_FRAME, new WebSocketServerHandshaker13("/chat", "b, a", true));
        assertServer(WebSocketVersion.V13, 7, new WebSocketServerHandshaker13("/chat", "b, a", true, 7));
        assertServer(
                WebSocketVersion.V13,
                DEFAULT_FRAME,
                new WebSocketServerHandshaker13("/chat", ",b, ,a,", HttpLimits.defaults(), List.of()));
        assertEquals(Set.of(), new WebSocketServerHandshaker00("/chat", null).getSubprotocols());
        assertEquals(Set.of(), new WebSocketServerHandshaker00("/chat", " , ").getSubprotocols());
    }

    @Test
    void shouldHoldWhatAClientsHandshakerIsGiven() {
        assertClient(
                WebSocketVersion.V00,
                DEFAULT_FRAME,
                new WebSocketClientHandshaker00(URL, WebSocketVersion.V00, "b, a", HEADERS));
        assertClient(
                WebSocketVersion.V08,
                DEFAULT_FRAME,
                new WebSocketClientHandshaker08(URL, WebSocketVersion.V08, "b, a", true, HEADERS));
        assertClient(
                WebSocketVersion.V13,
                DEFAULT_FRAME,
                new WebSocketClientHandshaker13(URL, WebSocketVersion.V13, "b, a", true, HEADERS));
        assertClient(
                WebSocketVersion.V13,
                DEFAULT_FRAME,
                new WebSocketClientHandshaker13(URL, "b, a", HEADERS, HttpLimits.defaults(), List.of()));
    }

    @Test
    void shouldMakeAClientsHandshakerOfEachVersion() {
        WebSocketClientHandshakerFactory factory = new WebSocketClientHandshakerFactory();
        for (WebSocketVersion version : WebSocketVersion.values()) {
            if (version == WebSocketVersion.UNKNOWN) {
                assertThrows(
                        WebSocketHandshakeException.class,
                        () -> factory.newHandshaker(URL, version, "b, a", false, HEADERS));
                assertThrows(IllegalStateException.class, version::toHttpHeaderValue);
            } else {
                assertClient(version, 7, factory.newHandshaker(URL, version, "b, a", true, HEADERS, 7));
                assertClient(version, DEFAULT_FRAME, factory.newHandshaker(URL, version, "b, a", true, HEADERS));
            }
        }
    }

    @Test
    void shouldMakeAServersHandshakerOfTheRequestedVersion() {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/chat");
        WebSocketServerHandshakerFactory factory = new WebSocketServerHandshakerFactory("/chat", "b, a", true, 7);
        assertServer(WebSocketVersion.V00, 7, factory.newHandshaker(request));
        request.headers().set("Sec-WebSocket-Version", "7");
        assertServer(WebSocketVersion.V07, 7, factory.newHandshaker(request));
        request.headers().set("Sec-WebSocket-Version", " 8 ");
        assertServer(WebSocketVersion.V08, 7, factory.newHandshaker(request));
        request.headers().set("Sec-WebSocket-Version", "13");
        assertServer(WebSocketVersion.V13, 7, factory.newHandshaker(request));
        assertServer(
                WebSocketVersion.V13,
                DEFAULT_FRAME,
                new WebSocketServerHandshakerFactory("/chat", "b, a", true).newHandshaker(request));
        request.headers().set("Sec-WebSocket-Version", "14");
        assertNull(factory.newHandshaker(request));
    }

    @Test
    void shouldPreferTheClientsSubprotocolsUnlessConfigured() {
        WebSocketServerHandshaker handshaker = new WebSocketServerHandshaker13("/chat", "b, a", false);
        assertEquals("a", handshaker.selectSubprotocol("x, a, b"));
        assertNull(handshaker.selectSubprotocol("x"));
        assertNull(handshaker.selectSubprotocol(null));
        assertNull(new WebSocketServerHandshaker13("/chat", null, false).selectSubprotocol("a"));
        assertEquals("x", new WebSocketServerHandshaker13("/chat", "b, *", false).selectSubprotocol("x, b"));

        handshaker.setConfigured();
        assertEquals("b", handshaker.selectSubprotocol("x, a, b"));
        assertNull(handshaker.selectSubprotocol("x"));
        WebSocketServerHandshaker any = new WebSocketServerHandshaker13("/chat", "b, *", false);
        any.setConfigured();
        assertEquals("b", any.selectSubprotocol("x, b"));
        assertEquals("x", any.selectSubprotocol("x, y"));
        assertNull(any.selectSubprotocol(""));
    }

    @Test
    void shouldHoldWhatAConfigurationIsGiven() {
        FakeTimer timer = new FakeTimer();
        WebSocketServerConfig server = WebSocketServerConfig.builder("/chat")
                .subprotocols("a")
                .subprotocols("b")
                .extensions()
                .limits(HttpLimits.defaults())
                .handshakeTimeout(Duration.ofSeconds(1))
                .closeTimeout(Duration.ofSeconds(2))
                .ping(Duration.ofSeconds(3), Duration.ofSeconds(4))
                .timer(timer)
                .build();
        assertEquals("/chat", server.path());
        assertEquals(List.of("a", "b"), server.subprotocols());
        assertEquals("a,b", server.subprotocolList());
        assertEquals(List.of(), server.extensions());
        assertSame(HttpLimits.defaults(), server.limits());
        assertEquals(Duration.ofSeconds(1), server.handshakeTimeout());
        assertEquals(Duration.ofSeconds(2), server.closeTimeout());
        assertEquals(Duration.ofSeconds(3), server.pingInterval());
        assertEquals(Duration.ofSeconds(4), server.pongTimeout());
        assertSame(timer, server.timer());

        WebSocketClientConfig client = WebSocketClientConfig.builder(URI.create("WSS://h"))
                .header("a", "b")
                .build();
        assertEquals(URI.create("WSS://h"), client.uri());
        assertEquals(List.of(), client.subprotocols());
        assertNull(client.subprotocolList());
        assertInstanceOf(PerMessageDeflate.class, client.extensions().get(0));
        assertEquals(Duration.ofSeconds(10), client.handshakeTimeout());
        assertEquals(Duration.ofSeconds(3), client.closeTimeout());
        assertEquals(Duration.ZERO, client.pingInterval());
        assertEquals(Duration.ofSeconds(10), client.pongTimeout());
        assertNull(client.timer());
        assertEquals(HEADERS, client.newHandshaker().customHeaders);
        assertThrows(IllegalArgumentException.class, () -> WebSocketClientConfig.builder(URI.create("http://h/")));
        assertThrows(IllegalArgumentException.class, () -> WebSocketClientConfig.builder(URI.create("ws:///x")));
    }

    @Test
    void shouldMatchAPathWithoutItsQuery() {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/chat");
        WebSocketServerConfig chat = WebSocketServerConfig.builder("/chat").build();
        assertTrue(chat.matches(request));
        assertTrue(WebSocketServerConfig.builder(null).build().matches(request));
        request.setUri("/chat?a=b");
        assertTrue(chat.matches(request));
        request.setUri("?/chat");
        assertFalse(chat.matches(request));
        assertTrue(WebSocketServerConfig.builder("").build().matches(request));
        request.setUri("/chats");
        assertFalse(chat.matches(request));
    }
}
