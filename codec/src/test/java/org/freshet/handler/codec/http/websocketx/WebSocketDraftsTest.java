package org.freshet.handler.codec.http.websocketx;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http.websocketx.Frames.hex;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.bytes;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.takeSent;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.CloseReason;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.websocketx.HandshakeTexts.Http;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

/** The handshakes of the drafts, above all of draft 00, and the ends of their connections. */
class WebSocketDraftsTest {
    private static final String KEY1 = "4 @1  46546xW%0l 1 5";
    private static final String KEY2 = "12998 5 Y3 1  .P00";
    private static final String EIGHT = "^n:ds[4U";
    private static final String PROOF = "8jKS'y:G*Co,Wxa-";

    /** The example of draft 76, section 1.3, without the fields that a test adds. */
    private static HttpRequest request(String content, String... headers) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/demo");
        request.headers().set("Upgrade", "WebSocket").set("Connection", "Upgrade");
        for (int i = 0; i < headers.length; i += 2) {
            request.headers().add(headers[i], headers[i + 1]);
        }
        request.setContent(ChannelBuffers.copiedBuffer(content, ISO_8859_1));
        return request;
    }

    private static final String[] KEYS = {
        "Sec-WebSocket-Key1", KEY1, "Sec-WebSocket-Key2", KEY2, "Origin", "http://example.com"
    };

    private final MemoryChannel channel = Http.CODEC.serverChannel();
    private final WebSocketServerHandshaker00 server = new WebSocketServerHandshaker00("ws://example.com/demo", null);

    private String refusal(HttpRequest request) {
        String why = assertThrows(WebSocketHandshakeException.class, () -> server.handshake(channel, request))
                .getMessage();
        assertEquals("", takeSent(channel));
        return why;
    }

    // ---- the server of draft 00 ----

    @ParameterizedTest
    @ValueSource(strings = {"", "^n:ds[4", "^n:ds[4U "})
    void shouldRefuseKeysWithoutTheirEightBytes(String content) {
        assertEquals(
                "a WebSocket draft 00 request must have 8 bytes of content, not " + content.length(),
                refusal(request(content, KEYS)));
    }

    @Test
    void shouldRefuseARequestWithoutOrigin() {
        assertEquals(
                "WebSocket draft 00 request without Origin",
                refusal(request(EIGHT, "Sec-WebSocket-Key1", KEY1, "Sec-WebSocket-Key2", KEY2)));
        assertEquals("WebSocket draft 00 request without Origin", refusal(request("")));
    }

    /** A request with only one of the keys is of the version before, which has no content. */
    @ParameterizedTest
    @ValueSource(strings = {"Sec-WebSocket-Key1", "Sec-WebSocket-Key2"})
    void shouldTakeARequestWithOneKeyForHixie75(String key) {
        assertEquals(
                "cannot switch the request to WebSocket: it has content",
                refusal(request(EIGHT, key, KEY1, "Origin", "http://example.com")));
        server.handshake(channel, request("", key, KEY1, "Origin", "http://example.com"));
        assertTrue(takeSent(channel).startsWith("HTTP/1.1 101 Web Socket Protocol Handshake\r\n"));
    }

    /** Its digits, divided by the number of its blanks; -1 if that is not possible. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'12345' | -1", // no blanks
                "' ' | 0",
                "'12 3' | 123",
                "'1 2 4' | 62",
                "'1 2 5' | -1", // odd
                "'4294967295 ' | 4294967295",
                "'4294967296 ' | -1",
                "'x:/4 2' | 42" // ':' and '/' are next to the digits
            })
    void shouldReadTheNumberOfAKey(String key, long number) {
        byte[] eight = EIGHT.getBytes(ISO_8859_1);
        if (number < 0) {
            assertThrows(WebSocketHandshakeException.class, () -> Draft00Challenge.answer(key, " ", eight));
            assertThrows(WebSocketHandshakeException.class, () -> Draft00Challenge.answer(" ", key, eight));
        } else {
            ChannelBuffer challenge = ChannelBuffers.buffer(16);
            challenge.writeInt((int) number);
            challenge.writeInt(0);
            challenge.writeBytes(eight);
            assertArrayEquals(WebSocketUtil.digest("MD5", challenge.array()), Draft00Challenge.answer(key, " ", eight));
        }
    }

    // ---- the client of draft 00 ----

    private static WebSocketClientHandshaker00 client(String subprotocols) {
        return new WebSocketClientHandshaker00(
                URI.create("ws://example.com/demo"), WebSocketVersion.V00, subprotocols, null);
    }

    @ParameterizedTest
    @NullAndEmptySource
    void shouldAskForNoSubprotocolIfThereIsNone(String subprotocols) {
        MemoryChannel clientChannel = Http.CODEC.clientChannel();
        client(subprotocols).handshake(clientChannel);
        String sent = takeSent(clientChannel);
        assertFalse(sent.contains("Protocol"), sent);
        assertTrue(sent.contains("\r\nContent-Length: 8\r\n"), sent);
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        HybiHandshake.ask(request, "key", WebSocketVersion.V13, subprotocols);
        assertFalse(request.headers().contains("Sec-WebSocket-Protocol"));
    }

    /** Each key has blanks, but not at its ends, and other characters; so a server that ignores them fails. */
    @Test
    void shouldSendKeysThatAServerMustRead() {
        for (int i = 0; i < 50; i++) {
            MemoryChannel clientChannel = Http.CODEC.clientChannel();
            client(null).handshake(clientChannel);
            String sent = takeSent(clientChannel);
            for (String name : List.of("Sec-WebSocket-Key1: ", "Sec-WebSocket-Key2: ")) {
                int at = sent.indexOf(name) + name.length();
                String key = sent.substring(at, sent.indexOf("\r\n", at));
                assertEquals(key.trim(), key);
                assertTrue(key.matches("[0-9A-Z ]+"), key);
                assertTrue(key.matches(".*[A-Z].*") && key.matches(".*[0-9].*"), key);
                long blanks = key.chars().filter(c -> c == ' ').count();
                assertTrue(blanks >= 1 && blanks <= 12, key);
            }
        }
    }

    @Test
    void shouldRefuseAServerThatDoesNotAnswerTheChallenge() {
        MemoryChannel clientChannel = Http.CODEC.clientChannel();
        WebSocketClientHandshaker00 client = client(null);
        client.handshake(clientChannel);
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS);
        response.headers().set("Upgrade", "WebSocket").set("Connection", "Upgrade");
        response.setContent(ChannelBuffers.copiedBuffer(PROOF, ISO_8859_1));
        WebSocketHandshakeException refused =
                assertThrows(WebSocketHandshakeException.class, () -> client.finishHandshake(clientChannel, response));
        assertEquals("the server did not answer the challenge correctly", refused.getMessage());
        assertFalse(clientChannel.isOpen());
        assertFalse(client.isHandshakeComplete());
    }

    /** Even with the right proof. */
    @ParameterizedTest
    @CsvSource({"200, WebSocket, Upgrade", "101, h2c, Upgrade", "101, WebSocket, close", "101, WebSocket, Upgrade"})
    void shouldCheckTheServersAnswer(int status, String upgrade, String connection) {
        MemoryChannel clientChannel = Http.CODEC.clientChannel();
        WebSocketClientHandshaker00 client = client(null);
        client.handshake(clientChannel);
        String sent = takeSent(clientChannel);
        byte[] proof = Draft00Challenge.answer(
                field(sent, "Key1"),
                field(sent, "Key2"),
                sent.substring(sent.length() - 8).getBytes(ISO_8859_1));
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status));
        response.headers().set("Upgrade", upgrade).set("Connection", connection);
        response.setContent(ChannelBuffers.wrappedBuffer(proof));
        boolean isRight = status == 101 && upgrade.equals("WebSocket") && connection.equals("Upgrade");
        if (isRight) {
            client.finishHandshake(clientChannel, response);
        } else {
            assertThrows(WebSocketHandshakeException.class, () -> client.finishHandshake(clientChannel, response));
        }
        assertEquals(isRight, client.isHandshakeComplete());
        assertEquals(isRight, clientChannel.isOpen());
    }

    private static String field(String request, String name) {
        int at = request.indexOf(name + ": ") + name.length() + 2;
        return request.substring(at, request.indexOf("\r\n", at));
    }

    @ParameterizedTest
    @EnumSource(names = {"V07", "V08", "V13"})
    void shouldCheckTheServersProof(WebSocketVersion version) throws Exception {
        MemoryChannel clientChannel = Http.CODEC.clientChannel();
        WebSocketClientHandshaker client = new WebSocketClientHandshakerFactory()
                .newHandshaker(URI.create("ws://example.com"), version, null, false, null);
        client.handshake(clientChannel);
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS);
        response.headers().set("Upgrade", "websocket").set("Connection", "Upgrade");
        response.headers().set("Sec-WebSocket-Accept", HandshakeTexts.ACCEPT); // of another key
        assertThrows(WebSocketHandshakeException.class, () -> client.finishHandshake(clientChannel, response));
        assertFalse(client.isHandshakeComplete());
        assertFalse(clientChannel.isOpen());
    }

    // ---- frames and ends ----

    @Test
    void shouldCloseAfterTheCloseFrameInEveryVersion() {
        for (WebSocketServerHandshaker each : List.of(
                server,
                new WebSocketServerHandshaker07("ws://x", null, false, 100),
                new WebSocketServerHandshaker08("ws://x", null, false),
                new WebSocketServerHandshaker13("ws://x", null, false))) {
            MemoryChannel own = MemoryChannel.connected().holdWrites();
            CloseWebSocketFrame frame = new CloseWebSocketFrame(1001, "bye");
            ChannelFuture written = each.close(own, frame);
            assertEquals(List.of(frame), own.takeWritten());
            assertTrue(own.isOpen());
            assertFalse(written.isDone());
            own.completeWrites();
            assertTrue(written.isSuccess());
            assertFalse(own.isOpen());
        }
    }

    @Test
    void shouldRefuseALimitThatAllowsNoFrame() {
        assertThrows(IllegalArgumentException.class, () -> new WebSocket00FrameDecoder(0));
        MemoryChannel one = MemoryChannel.connected(new WebSocket00FrameDecoder(1));
        one.receive(ChannelBuffers.wrappedBuffer(hex("0041ff 800142")));
        assertEquals(List.of("Text 'A'", "Binary 42"), Frames.describe(one.takeReceived()));
        MemoryChannel most = MemoryChannel.connected(new WebSocket00FrameDecoder(Long.MAX_VALUE));
        most.receive(ChannelBuffers.wrappedBuffer(hex("0041ff")));
        assertEquals(List.of("Text 'A'"), Frames.describe(most.takeReceived()));
    }

    /** Draft 00 limits frames to 16 KiB unless told otherwise. */
    @Test
    void shouldAcceptFramesUpToTheLimit() {
        for (int length : new int[] {16_384, 16_385}) {
            MemoryChannel own = MemoryChannel.connected(new WebSocket00FrameDecoder());
            ChannelBuffer frame = ChannelBuffers.dynamicBuffer();
            frame.writeByte(0);
            frame.writeBytes(new byte[length]);
            frame.writeByte(0xff);
            own.receive(frame);
            assertEquals(length == 16_384, own.isOpen());
        }
    }

    /** Of the other bytes with the highest bit, none closes: they are binary frames, also empty ones. */
    @Test
    void shouldOnlyCloseAtTheClosingHandshake() {
        MemoryChannel own = MemoryChannel.connected(new WebSocket00FrameDecoder());
        own.receive(ChannelBuffers.wrappedBuffer(hex("ff0141 8000 fe00 ff00 0042ff")));
        assertEquals(List.of("Binary 41", "Binary ", "Binary ", "Close -1 ''"), Frames.describe(own.takeReceived()));
        own.receive(ChannelBuffers.wrappedBuffer(hex("0043ff")));
        assertEquals(List.of(), own.takeReceived());
        assertEquals(List.of(), own.takeCaught());
    }

    @Test
    void shouldSendNoClosingHandshakeOnceItIsNotConnected() {
        MemoryChannel unconnected = MemoryChannel.open(new WebSocket00FrameDecoder());
        unconnected.receive(ChannelBuffers.wrappedBuffer(hex("0148ff")));
        assertInstanceOf(
                MalformedWebSocketFrameException.class, unconnected.takeCaught().get(0));
        assertEquals(List.of(), unconnected.takeWritten());
        assertTrue(unconnected.isOpen());
        unconnected.close();
        assertEquals(CloseReason.Kind.PROTOCOL, unconnected.getCloseReason().kind());
        MemoryChannel of13 = MemoryChannel.open(new WebSocket13FrameDecoder(true, false));
        of13.receive(ChannelBuffers.wrappedBuffer(hex("8100")));
        assertInstanceOf(
                MalformedWebSocketFrameException.class, of13.takeCaught().get(0));
        assertEquals(List.of(), of13.takeWritten());
    }

    @Test
    void shouldDropAFrameThatTheEndCutsShort() {
        for (String cut : List.of("0041", "8005 41", "80", "8081")) {
            MemoryChannel own = MemoryChannel.connected(new WebSocket00FrameDecoder());
            own.receive(ChannelBuffers.wrappedBuffer(hex(cut)));
            own.close();
            assertEquals(List.of(), own.takeReceived());
            assertEquals(List.of(), own.takeCaught());
        }
    }

    @Test
    void shouldUnderstandTheExample() {
        server.handshake(channel, request(EIGHT, KEYS));
        assertTrue(takeSent(channel).endsWith("\r\n\r\n" + PROOF));
        channel.receive(bytes("\0Hi\u00ff"));
        assertEquals(List.of("Text 'Hi'"), Frames.describe(channel.takeReceived()));
    }
}
