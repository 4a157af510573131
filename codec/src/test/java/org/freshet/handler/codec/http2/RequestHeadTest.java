package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The latest request of a connection. */
class RequestHeadTest {
    private final RequestHead head = new RequestHead();

    @ParameterizedTest
    @CsvSource({
        // method, protocol: asks for WebSocket, another protocol, a tunnel
        "GET, , false, false, false",
        "CONNECT, , false, false, true",
        "GET, websocket, true, false, true",
        "GET, WebSocket, false, true, false",
        "GET, connect-udp, false, true, false",
    })
    void shouldKnowWhatIsAskedFor(
            String method, String protocol, boolean webSocket, boolean otherProtocol, boolean tunnel) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.valueOf(method), "/");
        head.set(request, -1, "http", protocol, null);
        assertEquals(webSocket, head.asksForWebSocket());
        assertEquals(otherProtocol, head.asksForOtherProtocol());
        assertEquals(tunnel, head.asksForTunnel());
    }

    /** An idle connection may stay open for a long time. */
    @Test
    void shouldKeepNothingOfARequestThatHasBeenPassedOn() {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        head.set(request, 5, "https", "websocket", "u=1");
        assertSame(request, head.message());
        assertEquals(5, head.contentLength());
        assertEquals("https", head.scheme());
        assertEquals("u=1", head.priority());
        head.clear();
        assertNull(head.message());
        assertEquals(-1, head.contentLength());
        assertNull(head.scheme());
        assertNull(head.priority());
    }
}
