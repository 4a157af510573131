package org.freshet.handler.codec.http.websocketx;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.END;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.bytes;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.endInput;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.request;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.takeSent;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.CloseReason;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpResponseEncoder;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.websocketx.HandshakeTexts.Http;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.RefusingTimer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebSocketServerRefusalsTest extends ServedWebSocket {
    /** Its rest would be read as frames, or frames would be read as its rest. */
    @ParameterizedTest
    @CsvSource({
        "Transfer-Encoding: chunked, ''",
        "Transfer-Encoding: chunked, '0|'",
        "Transfer-Encoding: chunked, '3|abc|'",
        "Transfer-Encoding: chunked, '3|abc|0||'",
        "Content-Length: 3, ''",
        "Content-Length: 3, a",
        "Content-Length: 3, abc",
        "Content-Length: 20000, ''",
        "Content-Length: 20000, abc"
    })
    void shouldRefuseARequestWithContentWhereverItIsCut(String header, String body) {
        byte[] input = (request(header) + body.replace("|", "\r\n")).getBytes(ISO_8859_1);
        for (Http http : Http.values()) {
            for (String netty3 : new String[] {null, "ws://x/y"}) {
                for (int cut = 1; cut <= input.length; cut++) {
                    MemoryChannel channel = http.serverChannel(
                            netty3 == null
                                    ? new WebSocketServerProtocolHandler(config().build())
                                    : new WebSocketServerProtocolHandler(netty3));
                    channel.receive(ChannelBuffers.copiedBuffer(input, 0, cut));
                    channel.receive(ChannelBuffers.copiedBuffer(input, cut, input.length - cut));
                    String sent = takeSent(channel);
                    assertTrue(sent.isEmpty() || sent.startsWith("HTTP/1.1 400 "), cut + " " + sent);
                    assertEquals(List.of(), channel.takeReceived());
                }
            }
        }
    }

    /** Draft 00 has eight bytes of content; hixie-75 has no keys and no content. */
    @ParameterizedTest
    @ValueSource(strings = {"Transfer-Encoding: chunked", "Content-Length: 20000", "Content-Length: 3"})
    void shouldRefuseARequestOfHixie75WithContent(String header) {
        String request = "GET /chat HTTP/1.1\r\nHost: example.com\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\n"
                + "Origin: http://example.com\r\n" + header + "\r\n\r\n";
        for (Http http : Http.values()) {
            MemoryChannel channel = http.serverChannel(new WebSocketServerProtocolHandler("ws://x/y"));
            channel.receive(bytes(request));
            channel.receive(bytes("3\r\nabc"));
            String sent = takeSent(channel);
            assertTrue(sent.isEmpty() || sent.startsWith("HTTP/1.1 400 "), sent);
            assertEquals(List.of(), channel.takeReceived());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Upgrade: websocket\\r\\n | '' | 400 | cannot switch the request to WebSocket: Upgrade does not name websocket",
                "GET | POST | 400 | cannot switch the request to WebSocket: its method is POST",
                "Sec-WebSocket-Key: | X: | 400 | cannot switch the request to WebSocket: it has no key",
                "Host | Origin: http://evil.example\\r\\nHost | 403 | origin not allowed",
                "Host | Origin: null\\r\\nHost | 403 | origin not allowed",
                "Host | Origin: http://example.com:81\\r\\nHost | 403 | origin not allowed",
            })
    void shouldAnswerAnInvalidHandshakeAndClose(String part, String instead, int status, String why) {
        for (Http http : Http.values()) {
            MemoryChannel channel = http.serverChannel(new WebSocketServerProtocolHandler(config().build()));
            channel.receive(
                    bytes(request().replace(part.replace("\\r\\n", "\r\n"), instead.replace("\\r\\n", "\r\n"))));
            String sent = takeSent(channel);
            assertTrue(sent.startsWith("HTTP/1.1 " + status + ' '), sent);
            assertTrue(sent.contains("\r\nConnection: close\r\n"), sent);
            assertTrue(sent.endsWith("\r\n\r\n" + why + END), sent);
            assertTrue(channel.isOpen());
            endInput(channel);
            assertFalse(channel.isOpen());
            assertEquals(List.of(), channel.takeReceived());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"8", "7", "14"})
    void shouldAnswerOtherVersionsWith426AndClose(String version) {
        MemoryChannel channel = channel(config());
        channel.receive(bytes(request().replace("Version: 13", "Version: " + version)));
        assertEquals(
                "HTTP/1.1 426 Upgrade Required\r\nSec-WebSocket-Version: 13\r\nContent-Length: 0\r\n"
                        + "Connection: close\r\n\r\n" + END,
                takeSent(channel));
        endInput(channel);
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldDropInputFromARefusedClientUntilItEnds() {
        MemoryChannel channel = channel(config().allowIf(request -> false));
        channel.receive(bytes(request() + "more"));
        channel.receive(bytes(request()));
        assertEquals(1, takeSent(channel).split("HTTP/1.1 403 ", -1).length - 1);
        assertEquals(List.of(), channel.takeReceived());
        assertTrue(channel.isOpen());
        assertTrue(timer.pendingTimeouts() > 0, "nothing closes if the client does not");
        endInput(channel);
        assertFalse(channel.isOpen());
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldCloseConnectionWhoseHandshakeTakesTooLong() {
        MemoryChannel channel = channel(config().handshakeTimeout(Duration.ofSeconds(5)));
        channel.receive(bytes("GET /chat HTTP/1.1\r\n"));
        timer.advanceMillis(4999);
        assertTrue(channel.isOpen());
        timer.advanceMillis(1);
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldLimitTheHandshakeAlthoughTheTimerIsStopped() {
        timer.stop();
        MemoryChannel channel = channel(config().handshakeTimeout(Duration.ofMillis(1)));
        Await.done(channel.getCloseFuture(), "the end of the time for a handshake");
        assertEquals(CloseReason.Kind.TIMED_OUT, channel.getCloseReason().kind());
        assertEquals(List.of(), channel.takeCaught());
    }

    @Test
    void shouldEndAConnectionSoonIfThereIsNoMemoryForTheTimeOfItsHandshake() {
        RefusingTimer full = new RefusingTimer(new OutOfMemoryError("the timer's"));
        MemoryChannel channel = channel(config().timer(full).handshakeTimeout(Duration.ofHours(1)));
        Await.done(channel.getCloseFuture(), "the close");
        assertEquals(CloseReason.Kind.TIMED_OUT, channel.getCloseReason().kind());
        assertEquals(List.of(), channel.takeCaught());
    }

    @Test
    void shouldAnswerHttpRequestAfterTheHandshakeWith403() {
        MemoryChannel channel =
                Http.DECODER_AND_ENCODER.serverChannel(new WebSocketServerProtocolHandshakeHandler("x", null, false));
        channel.receive(bytes(request()));
        takeSent(channel);
        channel.getPipeline().addLast("encoder", new HttpResponseEncoder());
        channel.receive(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/again"));
        assertTrue(takeSent(channel).startsWith("HTTP/1.1 403 Forbidden\r\n"));
    }

    @Test
    void shouldRefuseInvalidSettings() {
        assertThrows(IllegalArgumentException.class, () -> config().closeTimeout(Duration.ofMillis(-1)));
        assertThrows(IllegalArgumentException.class, () -> config().ping(Duration.ofSeconds(1), Duration.ZERO));
        assertThrows(
                IllegalArgumentException.class, () -> WebSocketClientConfig.builder(URI.create("http://example.com/")));
    }
}
