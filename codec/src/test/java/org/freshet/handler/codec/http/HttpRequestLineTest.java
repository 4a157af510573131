package org.freshet.handler.codec.http;

import static org.freshet.handler.codec.http.DecodedRequests.CHUNKED;
import static org.freshet.handler.codec.http.DecodedRequests.assertRefused;
import static org.freshet.handler.codec.http.DecodedRequests.assertRequests;
import static org.freshet.handler.codec.http.DecodedRequests.decode;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpRequestLineTest {
    private static final String CHUNKED_HEAD = "POST / HTTP/1.1 Host:h Transfer-Encoding:chunked chunked";

    @Test
    void shouldDecodeARequestWithoutContent() {
        assertRequests("GET /x?y=z HTTP/1.1\r\nHost: h\r\n\r\n", "GET /x?y=z HTTP/1.1 Host:h <>");
    }

    @Test
    void shouldSkipEmptyLinesBeforeRequests() {
        assertRequests(
                "\r\n\r\nGET / HTTP/1.1\r\n\r\n\r\nPUT /a HTTP/1.0\r\n\r\n", "GET / HTTP/1.1 <>", "PUT /a HTTP/1.0 <>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /\u007f HTTP/1.1\r\n\r\n",
                "\u0000GET / HTTP/1.1\r\n\r\n",
                "\u0001GET / HTTP/1.1\r\n\r\n",
                " GET / HTTP/1.1\r\n\r\n",
                "   \r\nGET / HTTP/1.1\r\n\r\n",
                "\u007fGET / HTTP/1.1\r\n\r\n",
                "\tGET / HTTP/1.1\r\n\r\n",
                "\nGET / HTTP/1.1\r\n\r\n",
                "\rGET / HTTP/1.1\r\n\r\n",
                "GET /x HTTP/1.1\n\n",
                "GET / HTTP/1.1\r\r\n\r\n",
                "GET / HTTP/1.1\r\nA: b\r\n\rX",
                "GET / HTTP/1.1\r\nA: b\r\r\n\r\n",
                "GET / HTTP/1.1\rA: b\r\n\r\n",
                "GET / HTTP/1.1\r\nA: b\n\r\n",
                "GET / HTTP/1.1\r\nA: b\r\n\n",
                "GET  / HTTP/1.1\r\n\r\n",
                "GET /  HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1 \r\n\r\n",
                "GET\t/ HTTP/1.1\r\n\r\n",
                "GET /\tHTTP/1.1\r\n\r\n",
                "GET /\u000bHTTP/1.1\r\n\r\n",
                "GET /\u000c HTTP/1.1\r\n\r\n",
                "G(T / HTTP/1.1\r\n\r\n",
                "G\u00e4T / HTTP/1.1\r\n\r\n",
                "G@T / HTTP/1.1\r\n\r\n",
                "GET /\u0000 HTTP/1.1\r\n\r\n",
                "GET /a\u0001 HTTP/1.1\r\n\r\n",
                "GET /\u00e4 HTTP/1.1\r\n\r\n",
                "GET * HTTP/1.1\r\n\r\n",
                "OPTIONS x HTTP/1.1\r\n\r\n",
                "GET host:80 HTTP/1.1\r\n\r\n",
                "GET http://a#b HTTP/1.1\r\n\r\n",
                "CONNECT /x HTTP/1.1\r\n\r\n",
                "CONNECT h HTTP/1.1\r\n\r\n",
                "CONNECT h: HTTP/1.1\r\n\r\n",
                "CONNECT h:65536 HTTP/1.1\r\n\r\n",
                "CONNECT u@h:80 HTTP/1.1\r\n\r\n",
                "GET http://u@h/ HTTP/1.1\r\n\r\n",
                "GET http:///x HTTP/1.1\r\n\r\n",
                "GET /\r\n\r\n",
                "GET / HTTP/1\r\n\r\n",
                "GET / HTTP/01.1\r\n\r\n",
                "GET / HTTP/1.01\r\n\r\n",
                "GET / HTTP/ 1.1\r\n\r\n",
                "GET / http/1.1\r\n\r\n",
                "GET / HTTP/1.1x\r\n\r\n",
                "GET / HTTP/1.1x\n\r\n",
                "GET / HTTP/x.1\r\n\r\n",
                "GET / HTTP/1.x\r\n\r\n",
                "GET / HTTP/1./\r\n\r\n",
                "GET / HTTP/1.:\r\n\r\n",
                "GET / HTTP/:.1\r\n\r\n",
                "GET / RTSP/1.0\r\n\r\n",
                "GET / ICY\r\n\r\n",
                "GET / HTTP/1,1\r\n\r\n",
                "GET\r\n\r\n"
            })
    void shouldRefuseAStartLine(String input) {
        assertRefused(400, input);
    }

    /** CVE-2026-50020: only empty lines may precede a request, even after another one. */
    @ParameterizedTest
    @ValueSource(strings = {"\u0000", "\u0001", "\t", "\u007f", "\r\n\u0000", "\u0000\r\n"})
    void shouldRefuseControlCharactersBetweenRequests(String between) {
        assertRequestsAndFailure("GET /a HTTP/1.1\r\n\r\n" + between, "GET /a HTTP/1.1 <>");
        assertRequestsAndFailure(CHUNKED + "0\r\n\r\n" + between, CHUNKED_HEAD, "end");
    }

    private static void assertRequestsAndFailure(String input, String... expected) {
        List<String> decoded = decode(HttpLimits.standard(), input + "GET /b HTTP/1.1\r\n\r\n");
        assertEquals(List.of(expected), decoded.subList(0, decoded.size() - 1));
        assertEquals("failure 400", decoded.get(decoded.size() - 1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/0.9\r\n\r\n",
                "GET / HTTP/2.0\r\n\r\n",
                "GET / HTTP/3.1\r\n\r\n",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
            })
    void shouldRefuseAnotherMajorVersion(String input) {
        assertRefused(505, input);
    }

    @Test
    void shouldRefuseALongMethodAsNotImplemented() {
        assertRefused(501, "A".repeat(33) + " / HTTP/1.1\r\n\r\n");
        assertRequests("A".repeat(32) + " / HTTP/1.1\r\n\r\n", "A".repeat(32) + " / HTTP/1.1 <>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "get / HTTP/1.1",
                "OPTIONS * HTTP/1.1",
                "OPTIONS http://h HTTP/1.1",
                "CONNECT h:443 HTTP/1.1",
                "CONNECT [::1]:443 HTTP/1.1",
                "GET http://h/p HTTP/1.1",
                "GET http://h:80?q HTTP/1.1",
                "GET custom+x://[::1]:8/p HTTP/1.1",
                "GET /\\\"<>^`{|} HTTP/1.1",
                "GET /a#b HTTP/1.1",
                "GET / HTTP/1.2",
                "GET / HTTP/1.9",
                "M-SEARCH /a HTTP/1.1",
                "GET //x HTTP/1.1",
                "DELETE /b HTTP/1.0"
            })
    void shouldAcceptAStartLineUnchanged(String line) {
        assertRequests(line + "\r\n\r\n", line + " <>");
    }

    @Test
    void shouldRefuseATooLongTarget() {
        HttpLimits limits =
                HttpLimits.standard().toBuilder().maxInitialLineLength(20).build();
        assertEquals(List.of("GET /234567 HTTP/1.1 <>"), decode(limits, "GET /234567 HTTP/1.1\r\n\r\n"));
        assertEquals(List.of("failure 414"), decode(limits, "GET /2345678 HTTP/1.1\r\n\r\n"));
        assertEquals(List.of("failure 414"), decode(limits, "GET /" + "x".repeat(30)));
        assertEquals(List.of("failure 400"), decode(limits, "\r\n".repeat(11)));
    }

    @Test
    void shouldAllowConfiguredViolations() {
        HttpLimits limits = HttpLimits.netty3();
        assertEquals(List.of("GET /\u00e4 HTTP/1.1 a:b c <>"), decode(limits, "GET /\u00e4 HTTP/1.1\na: b\n c\n\n"));
        assertEquals(
                List.of("POST / HTTP/1.1 Content-Length:2 Content-Length:2 <ab>"),
                decode(limits, "POST / HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nab"));
        assertEquals(
                List.of("POST / HTTP/1.1 Transfer-Encoding:chunked chunked", "end"),
                decode(
                        limits,
                        "POST / HTTP/1.1\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n"));
        assertEquals(List.of("failure 400"), decode(HttpLimits.strict(), "GET /#a HTTP/1.1\r\nHost: h\r\n\r\n"));
        assertEquals(List.of("failure 400"), decode(HttpLimits.strict(), "GET / HTTP/1.1\r\n\r\n"));
        assertEquals(List.of("GET / HTTP/1.0 <>"), decode(HttpLimits.strict(), "GET / HTTP/1.0\r\n\r\n"));
    }
}
