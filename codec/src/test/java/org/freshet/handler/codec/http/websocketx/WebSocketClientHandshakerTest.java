package org.freshet.handler.codec.http.websocketx;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http.websocketx.Frames.concat;
import static org.freshet.handler.codec.http.websocketx.Frames.unmasked;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.bytes;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.takeSent;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.internal.WebSocketProof;
import org.freshet.handler.codec.http.websocketx.HandshakeTexts.Http;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class WebSocketClientHandshakerTest {
    private static final Pattern KEY = Pattern.compile("Sec-WebSocket-Key: (\\S{24})\r\n");

    /** Finishes the handshake with the response, and receives frames afterwards. */
    private static final class Finisher extends SimpleChannelUpstreamHandler {
        final WebSocketClientHandshaker handshaker;

        Finisher(WebSocketClientHandshaker handshaker) {
            this.handshaker = handshaker;
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (e.getMessage() instanceof HttpResponse response) {
                handshaker.finishHandshake(ctx.getChannel(), response);
            } else {
                ctx.sendUpstream(e);
            }
        }
    }

    private static WebSocketClientHandshaker handshaker(String url, WebSocketVersion version, String subprotocol) {
        return new WebSocketClientHandshakerFactory()
                .newHandshaker(URI.create(url), version, subprotocol, false, Map.of("X-Custom", "1"));
    }

    /** Returns the request, with its key replaced by the word KEY. */
    private static String handshake(WebSocketClientHandshaker handshaker, MemoryChannel channel) throws Exception {
        assertTrue(handshaker.handshake(channel).isSuccess());
        return takeSent(channel);
    }

    private static String accept(String request) {
        Matcher key = KEY.matcher(request);
        assertTrue(key.find(), request);
        return WebSocketProof.of(key.group(1));
    }

    private static String response(String request, String... moreHeaders) {
        return HandshakeTexts.response(moreHeaders).replace(HandshakeTexts.ACCEPT, accept(request));
    }

    // ---- requests ----

    @ParameterizedTest
    @CsvSource({
        "ws://example.com, GET / HTTP/1.1, example.com",
        "ws://example.com:80/, GET / HTTP/1.1, example.com",
        "ws://example.com:8080/a%20b?q=%41, GET /a%20b?q=%41 HTTP/1.1, example.com:8080",
        "wss://example.com/x, GET /x HTTP/1.1, example.com",
        "wss://example.com:443?q, GET /?q HTTP/1.1, example.com",
        "wss://example.com:80/, GET / HTTP/1.1, example.com:80",
        "ws://[::1]:8080/, GET / HTTP/1.1, [::1]:8080",
    })
    void shouldRequestTheUrlAsWritten(String url, String line, String host) throws Exception {
        MemoryChannel channel = Http.CODEC.clientChannel();
        String request = handshake(handshaker(url, WebSocketVersion.V13, "chat, superchat"), channel);
        String origin = (url.startsWith("wss") ? "https://" : "http://") + host;
        assertEquals(
                line + "\r\nHost: " + host + "\r\nOrigin: " + origin
                        + "\r\nX-Custom: 1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: KEY\r\n"
                        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: chat, superchat\r\n\r\n",
                KEY.matcher(request).replaceFirst("Sec-WebSocket-Key: KEY\r\n"));
    }

    @Test
    void shouldLetCustomHeadersReplaceHostAndOriginButNotTheHandshake() throws Exception {
        WebSocketClientHandshaker own = new WebSocketClientHandshakerFactory()
                .newHandshaker(
                        URI.create("ws://example.com/"),
                        WebSocketVersion.V13,
                        null,
                        false,
                        Map.of("Host", "other", "Origin", "null", "Connection", "close", "Upgrade", "h2c"));
        String request = handshake(own, Http.CODEC.clientChannel());
        assertTrue(request.contains("\r\nHost: other\r\n"), request);
        assertTrue(request.contains("\r\nOrigin: null\r\n"), request);
        assertTrue(request.contains("\r\nConnection: Upgrade\r\n"), request);
        assertTrue(request.contains("\r\nUpgrade: websocket\r\n"), request);
        assertFalse(request.contains("Sec-WebSocket-Protocol"), request);
    }

    @Test
    void shouldUseAnotherKeyEachTime() throws Exception {
        WebSocketClientHandshaker same = handshaker("ws://x/", WebSocketVersion.V13, null);
        String one = accept(handshake(same, Http.CODEC.clientChannel()));
        String other = accept(handshake(same, Http.CODEC.clientChannel()));
        assertNotEquals(one, other);
    }

    // ---- responses ----

    @ParameterizedTest
    @EnumSource
    void shouldSwitchToFramesEvenInTheSameReadHoweverItIsSplit(Http http) throws Exception {
        for (int cut = 1; cut < 200; cut++) {
            WebSocketClientHandshaker own = handshaker("ws://example.com/", WebSocketVersion.V13, "a, chat");
            MemoryChannel channel = http.clientChannel(new Finisher(own));
            String request = handshake(own, channel);
            byte[] input = concat(
                    response(request, "Sec-WebSocket-Protocol: chat").getBytes(ISO_8859_1),
                    unmasked(0x81, "first"),
                    unmasked(0x89, "p"));
            int end = Math.min(cut, input.length - 1);
            channel.receive(ChannelBuffers.copiedBuffer(input, 0, end));
            channel.receive(ChannelBuffers.copiedBuffer(input, end, input.length - end));
            assertEquals(List.of("Text 'first'", "Ping 70"), Frames.describe(channel.takeReceived()), "cut " + end);
            assertEquals(List.of(), channel.takeCaught());
            assertTrue(own.isHandshakeComplete());
            assertEquals("chat", own.getActualSubprotocol());
            channel.write(new PongWebSocketFrame());
            assertTrue(takeSent(channel).startsWith("\u008a\u0080"), "masked");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "101 Switching Protocols | 200 OK | the server did not switch to WebSocket: its status is 200 OK",
                "Upgrade: websocket\\r\\n | '' | the server did not switch to WebSocket: Upgrade does not name WebSocket but is []",
                "Upgrade: websocket | Upgrade: h2c | the server did not switch to WebSocket: Upgrade does not name WebSocket but is [h2c]",
                "Connection: Upgrade | Connection: close | the server did not switch to WebSocket: Connection does not name Upgrade but is [close]",
                "ACCEPT | bad= | the server did not answer the challenge correctly: [bad=]",
                "Sec-WebSocket-Accept: ACCEPT\\r\\n | '' | the server did not answer the challenge correctly: []",
                "Connection | Sec-WebSocket-Protocol: b\\r\\nConnection | the server chose a sub-protocol that was not asked for: [b]",
                "Connection | Sec-WebSocket-Protocol: a, chat\\r\\nConnection | the server chose a sub-protocol that was not asked for",
                "Connection | Sec-WebSocket-Extensions: foo\\r\\nConnection | the server chose an extension that was not offered: foo",
            })
    void shouldRefuseResponseThatDoesNotAnswerTheRequestAndClose(String part, String instead, String why)
            throws Exception {
        for (Http http : Http.values()) {
            WebSocketClientHandshaker own = handshaker("ws://example.com/", WebSocketVersion.V13, "a, chat");
            MemoryChannel channel = http.clientChannel(new Finisher(own));
            String request = handshake(own, channel);
            String good = response(request).replace(accept(request), "ACCEPT");
            String bad = good.replaceFirst(part.replace("\\r\\n", "\r\n"), instead.replace("\\r\\n", "\r\n"));
            channel.receive(bytes(
                    bad.replace("\r\n\r\n", "\r\nContent-Length: 0\r\n\r\n").replace("ACCEPT", accept(request))));
            List<Throwable> caught = channel.takeCaught();
            assertEquals(1, caught.size(), caught::toString);
            assertInstanceOf(WebSocketHandshakeException.class, caught.get(0));
            assertTrue(caught.get(0).getMessage().startsWith(why), caught::toString);
            assertFalse(channel.isOpen());
            assertFalse(own.isHandshakeComplete());
            assertNull(channel.getPipeline().get("ws-decoder"));
        }
    }

    @Test
    void shouldAcceptServerThatChoosesNoSubprotocol() throws Exception {
        WebSocketClientHandshaker own = handshaker("ws://example.com/", WebSocketVersion.V13, "chat");
        MemoryChannel channel = Http.CODEC.clientChannel(new Finisher(own));
        channel.receive(bytes(response(handshake(own, channel))));
        assertTrue(own.isHandshakeComplete());
        assertNull(own.getActualSubprotocol());
        assertEquals("chat", own.getExpectedSubprotocol());
    }

    // ---- extensions ----

    @Test
    void shouldOfferExtensionsAndUseTheOneThatTheServerAccepts() throws Exception {
        WebSocketClientHandshaker13 own = new WebSocketClientHandshaker13(
                URI.create("ws://x/"), null, null, HttpLimits.standard(), List.of(new ReverseExtension()));
        MemoryChannel channel = Http.CODEC.clientChannel(new Finisher(own));
        String request = handshake(own, channel);
        assertTrue(request.contains("\r\nSec-WebSocket-Extensions: x-reverse; ok=1, x-reverse; ok\r\n"), request);
        channel.receive(bytes(response(request, "Sec-WebSocket-Extensions: x-reverse; ok")));
        channel.receive(ChannelBuffers.wrappedBuffer(concat(unmasked(0xc1, "abc"), unmasked(0x81, "abc"))));
        assertEquals(List.of("Text 'cba'", "Text 'abc'"), Frames.describe(channel.takeReceived()));
    }

    @Test
    void shouldRefuseAnExtensionThatWasNotOfferedOrIsRepeated() throws Exception {
        for (String answer : List.of("x-reverse", "x-reverse; ok, x-reverse; ok", "other", "x-reverse; bad=")) {
            WebSocketClientHandshaker13 own = new WebSocketClientHandshaker13(
                    URI.create("ws://x/"), null, null, HttpLimits.standard(), List.of(new ReverseExtension()));
            MemoryChannel channel = Http.CODEC.clientChannel(new Finisher(own));
            channel.receive(bytes(response(handshake(own, channel), "Sec-WebSocket-Extensions: " + answer)));
            assertInstanceOf(
                    WebSocketHandshakeException.class, channel.takeCaught().get(0), answer);
            assertFalse(channel.isOpen());
        }
    }

    // ---- versions ----

    @ParameterizedTest
    @EnumSource(names = {"V00", "V07", "V08", "V13"})
    void shouldWorkWithFreshetsServerInEveryVersion(WebSocketVersion version) throws Exception {
        for (Http http : Http.values()) {
            WebSocketServerHandshaker[] server = new WebSocketServerHandshaker[1];
            MemoryChannel serverChannel = http.serverChannel(new SimpleChannelUpstreamHandler() {
                @Override
                public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                    if (e.getMessage() instanceof HttpRequest request) {
                        server[0] =
                                new WebSocketServerHandshakerFactory("ws://x/", "chat", false).newHandshaker(request);
                        server[0].handshake(ctx.getChannel(), request);
                    } else {
                        ctx.sendUpstream(e);
                    }
                }
            });
            WebSocketClientHandshaker client = handshaker("ws://x/", version, "chat");
            MemoryChannel clientChannel = http.clientChannel(new Finisher(client));
            serverChannel.receive(bytes(handshake(client, clientChannel)));
            serverChannel.write(new TextWebSocketFrame("from server"));
            clientChannel.receive(bytes(takeSent(serverChannel)));
            assertTrue(client.isHandshakeComplete());
            assertEquals("chat", client.getActualSubprotocol());
            assertEquals(version, server[0].getVersion());
            clientChannel.write(new TextWebSocketFrame("from client"));
            serverChannel.receive(bytes(takeSent(clientChannel)));
            assertEquals(List.of("Text 'from server'"), Frames.describe(clientChannel.takeReceived()));
            assertEquals(List.of("Text 'from client'"), Frames.describe(serverChannel.takeReceived()));
            assertEquals(List.of(), clientChannel.takeCaught());
            assertEquals(List.of(), serverChannel.takeCaught());
        }
    }

    @Test
    void shouldRefuseAnInvalidVersion() {
        assertThrows(WebSocketHandshakeException.class, () -> handshaker("ws://x/", WebSocketVersion.UNKNOWN, null));
        assertThrows(IllegalStateException.class, WebSocketVersion.UNKNOWN::toHttpHeaderValue);
    }
}
