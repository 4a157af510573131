package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http.DecodedRequests.POST;
import static org.freshet.handler.codec.http.DecodedRequests.assertRefused;
import static org.freshet.handler.codec.http.DecodedRequests.assertRequests;
import static org.freshet.handler.codec.http.DecodedRequests.decode;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpRequestHeadersTest {
    @Test
    void shouldNotKeepALargeReadForASmallHead() {
        byte[] read = ("GET /a HTTP/1.1\r\nHost: h\r\nX-A: value\r\n\r\n" + "GET / HTTP/1.1\r\n\r\n".repeat(1000))
                .getBytes(ISO_8859_1);
        DecoderEmbedder<HttpRequest> embedder = new DecoderEmbedder<>(new HttpRequestDecoder());
        embedder.offer(ChannelBuffers.wrappedBuffer(read));
        HttpRequest first = embedder.poll();
        Arrays.fill(read, (byte) 'x');
        assertEquals("value", first.headers().get("X-A"));
        assertEquals(1000, embedder.pollAll().length);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " Transfer-Encoding: chunked",
                "\tA: b",
                "A: b\r\n c",
                "A: b\r\n\tc",
                "A : b",
                "A\t: b",
                "Ab",
                ": b",
                "",
                "A(: b",
                "[A]: b",
                "A\u00e4: b",
                "\u000bA: b",
                "A\u000b: b",
                "A\u0000: b",
                "A B: c",
                "A: \u0000",
                "A: b\u0001",
                "A: b\u007f",
                "A: b\u000bc",
                "A: b\rc",
                "Host: a\r\nHost: a",
                "Host: a\r\nHost: b",
                "Host: a b",
                "Host: a,b",
                "Host: u@h",
                "Host: a/b",
                "Host: a#b",
                "Host: a?b",
                "Host: a:x",
                "Host: a:65536",
                "Host: [::1",
                "Host: [::1]x",
                "Host: [::1]x]",
                "Host: a:80:80",
                "Host: \u00e4",
                "Content_Length : 1",
                "A\r\nB: c",
                "Transfer-Encoding\u000b: chunked",
                "Transfer-Encoding : chunked"
            })
    void shouldRefuseAHeader(String lines) {
        String end = lines.isEmpty() ? "\r\n" : "";
        assertRefused(400, "GET / HTTP/1.1\r\n" + (lines.isEmpty() ? "=\r\n" : lines + "\r\n") + end + "\r\n");
    }

    @Test
    void shouldAcceptValuesUnchangedExceptForSurroundingBlanks() {
        assertRequests(
                "GET / HTTP/1.1\r\nA:b\r\nc: \t d\te \t\r\nD:\r\nE: \u0085\u00a0\u00ff\r\nHost: [::1]:80\r\nContent_Length: 5\r\n\r\n",
                "GET / HTTP/1.1 A:b c:d\te D: E:\u0085\u00a0\u00ff Host:[::1]:80 Content_Length:5 <>");
    }

    @Test
    void shouldKeepSeveralHeadersOfTheSameName() {
        HttpRequest request = one("GET / HTTP/1.1\r\nx-a: 1\r\nX-A: 2\r\nACCEPT: 3\r\naccept: 4\r\n\r\n");
        assertEquals(List.of("1", "2"), request.headers().getAll("X-a"));
        assertEquals("3", request.headers().get("Accept"));
        assertEquals(
                List.of("x-a", "X-A", "ACCEPT", "accept"),
                List.copyOf(request.headers().names()));
        request.headers().remove("x-A").add("B", "5");
        assertEquals("[ACCEPT=3, accept=4, B=5]", request.headers().entries().toString());
    }

    /** In that locale, the lower case of I is not i. */
    @Test
    void shouldFrameRequestsAlikeInATurkishLocale() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("tr-TR"));
        try {
            assertRequests(
                    "POST / HTTP/1.1\r\nHOST: h\r\nTRANSFER-ENCODING: GZIP, CHUNKED\r\n\r\n0\r\nI: x\r\n\r\n",
                    "POST / HTTP/1.1 HOST:h TRANSFER-ENCODING:GZIP, CHUNKED chunked",
                    "end I:x");
            assertEquals(
                    "1",
                    one("GET / HTTP/1.1\r\nIF-NONE-MATCH: 1\r\n\r\n").headers().get("if-none-match"));
            assertRefused(400, POST + "CONTENT-LENGTH: 1\r\ntransfer-encoding: IDENTITY, chunked, IDENTITY\r\n\r\na");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void shouldLimitTheHeaderSectionAndTheNumberOfItsLines() {
        HttpLimits limits = HttpLimits.standard().toBuilder()
                .maxHeaderSize(20)
                .maxHeaders(3)
                .build();
        String line = "GET / HTTP/1.1\r\n";
        assertEquals(List.of("GET / HTTP/1.1 A:234567890123 <>"), decode(limits, line + "A: 234567890123\r\n\r\n"));
        assertEquals(List.of("failure 431"), decode(limits, line + "A: 2345678901234567\r\n\r\n"));
        assertEquals(List.of("failure 431"), decode(limits, line + "A".repeat(40)));
        assertEquals(List.of("failure 431"), decode(limits, line + "A: " + " ".repeat(40)));
        assertEquals(List.of("failure 431"), decode(limits, line + "a:\r\nb:\r\nc:\r\nd:\r\n\r\n"));
        assertEquals(List.of("GET / HTTP/1.1 a: b: c: <>"), decode(limits, line + "a:\r\nb:\r\nc:\r\n\r\n"));
    }

    @Test
    void shouldAddHeadersOneByOneToOtherHeadersClasses() {
        List<String> decoded = Decoded.of(
                () -> new HttpRequestDecoder() {
                    @Override
                    protected HttpMessage createMessage(String[] line) {
                        HttpHeaders own = new DefaultHttpHeaders() {
                            @Override
                            public HttpHeaders add(String name, Object value) {
                                return super.add("X-" + name, value);
                            }
                        };
                        return new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.valueOf(line[0]), line[1], own);
                    }
                },
                "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\nab");

        assertEquals(List.of("POST / HTTP/1.1 X-Content-Length:2 <ab>"), decoded);
    }

    private static HttpRequest one(String input) {
        DecoderEmbedder<HttpRequest> embedder = new DecoderEmbedder<>(new HttpRequestDecoder());
        embedder.offer(ChannelBuffers.wrappedBuffer(input.getBytes(ISO_8859_1)));
        return embedder.poll();
    }
}
