package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How requests are decoded, and which are refused, however their bytes are split. */
class HttpRequestDecoderTest {
    private static final String POST = "POST / HTTP/1.1\r\nHost: h\r\n";
    private static final String CHUNKED = POST + "Transfer-Encoding: chunked\r\n\r\n";
    private static final String CHUNKED_HEAD = "POST / HTTP/1.1 Host:h Transfer-Encoding:chunked chunked";

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

    // ---- start line ----

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

    // ---- headers ----

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

    // ---- content ----

    @Test
    void shouldDecodeShortContentWithItsMessage() {
        assertRequests(
                POST + "Content-Length: 005\r\n\r\nhelloGET / HTTP/1.1\r\n\r\n",
                "POST / HTTP/1.1 Host:h Content-Length:005 <hello>",
                "GET / HTTP/1.1 <>");
        assertRequests("DELETE / HTTP/1.1\r\nContent-Length: 2\r\n\r\nab", "DELETE / HTTP/1.1 Content-Length:2 <ab>");
    }

    @Test
    void shouldSendLongContentInChunks() {
        HttpLimits limits = HttpLimits.standard().toBuilder().maxChunkSize(4).build();
        String input = "POST / HTTP/1.1\r\nContent-Length: 6\r\n\r\nabcdefGET / HTTP/1.1\r\n\r\n";

        assertEquals(
                List.of("POST / HTTP/1.1 Content-Length:4 <abcd>"),
                decode(limits, "POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\nabcd"));
        assertEquals(
                List.of(
                        "POST / HTTP/1.1 Content-Length:6 chunked",
                        "chunk abcd",
                        "chunk ef",
                        "end",
                        "GET / HTTP/1.1 <>"),
                decode(limits, input));
    }

    @Test
    void shouldSendContentInChunksIfTheClientWaitsForContinue() {
        assertRequests(
                "PUT / HTTP/1.1\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\na",
                "PUT / HTTP/1.1 Expect:100-Continue Content-Length:1 chunked",
                "chunk a",
                "end");
        assertRequests(
                "PUT / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na",
                "PUT / HTTP/1.0 Expect:100-continue Content-Length:1 <a>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "+5",
                "-0",
                "-5",
                "0x5",
                "5 5",
                "1_0",
                "5,5",
                "5, 5",
                "",
                "1Z",
                "9223372036854775808",
                "00000000000000000005",
                "\"5\"",
                "5;",
                "1e1"
            })
    void shouldRefuseAContentLength(String length) {
        assertRefused(400, POST + "Content-Length: " + length + "\r\n\r\nabcde");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 5\r\nContent-Length: 5",
                "Content-Length: 5\r\ncontent-length: 6",
                "Content-Length: 5\r\nTransfer-Encoding: chunked",
                "Content-Length: 0\r\nTransfer-Encoding: chunked",
                "Content-Length: 0\r\nContent-Length: 0",
                "Transfer-Encoding: chunked\r\nContent-Length: 5",
                "Transfer-Encoding: chunked, identity",
                "Transfer-Encoding: chunked, chunked",
                "Transfer-Encoding: xchunked",
                "Transfer-Encoding: chunked;q=1",
                "Transfer-Encoding: ",
                "Transfer-Encoding: ,chunked",
                "Transfer-Encoding: chunked,",
                "Transfer-Encoding: \"chunked\"",
                "Transfer-Encoding: \u000bchunked",
                "Transfer-Encoding: chunked\u0000",
                "Transfer-Encoding: gzip",
                "Transfer-Encoding: identity",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip",
                "Transfer-Encoding: chunked, xchunked",
                "Transfer-Encoding: chunked gzip",
                "Transfer-Encoding: gzip;x, chunked"
            })
    void shouldRefuseAmbiguousFraming(String lines) {
        assertRefused(400, POST + lines + "\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n");
    }

    @Test
    void shouldRefuseATransferEncodingInVersion10() {
        assertRefused(400, "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
        assertRefused(400, "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n");
    }

    @Test
    void shouldDecodeChunks() {
        assertRequests(
                CHUNKED + "3\r\nabc\r\n00a\r\n0123456789\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n",
                "POST / HTTP/1.1 Host:h Transfer-Encoding:chunked chunked",
                "chunk abc",
                "chunk 0123456789",
                "end",
                "GET / HTTP/1.1 <>");
        assertRequests(
                POST + "Transfer-Encoding:\t gzip ,\tChunked \r\n\r\n000\r\n\r\n",
                "POST / HTTP/1.1 Host:h Transfer-Encoding:gzip ,\tChunked chunked",
                "end");
    }

    @Test
    void shouldSendPiecesOfALongChunkAsTheyArrive() {
        HttpLimits limits = HttpLimits.standard().toBuilder().maxChunkSize(4).build();
        String input = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nabcdef\r\n0\r\n\r\n";
        assertEquals(
                List.of("POST / HTTP/1.1 Transfer-Encoding:chunked chunked", "chunk abcdef", "end"),
                decode(limits, input));
        List<String> byByte = Decoded.inPieces(() -> new HttpRequestDecoder(limits), input.getBytes(ISO_8859_1), 1);
        assertEquals(List.of("chunk a", "chunk b"), byByte.subList(1, 3));
        byte[] largest = input.replace("6\r\nabcdef", "4\r\nabcd").getBytes(ISO_8859_1);
        byByte = Decoded.inPieces(() -> new HttpRequestDecoder(limits), largest, 1);
        assertEquals(List.of("chunk abcd", "end"), byByte.subList(1, 3));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ";a",
                ";abc=bcd",
                " ;\ta = b ; c",
                "\t  ;  a \t=  b  ;  c",
                ";a=\"q\\\"x;\"",
                ";a=\"\";b",
                ";a ;b=\t\"x\""
            })
    void shouldIgnoreExtensionsOfChunks(String extension) {
        List<String> decoded =
                decode(HttpLimits.standard(), CHUNKED + "1" + extension + "\r\na\r\n0" + extension + "\r\n\r\n");
        assertEquals(List.of("chunk a", "end"), decoded.subList(1, decoded.size()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\r\na",
                " 1\r\na",
                "1 \r\na",
                "+1\r\na",
                "-1\r\na",
                "0x1\r\na",
                "1_0\r\na",
                "00000000000000001\r\na",
                "100000000\r\n",
                "80000000\r\n",
                "FFFFFFFFFFFFFFFF1\r\n",
                "ffffffffffffffff\r\n",
                "1;\r\na",
                "1;;a\r\na",
                "1;a=\r\na",
                "1;a(\r\na",
                "1;\u0001\r\na",
                "1;a=\"\r\n",
                "1;a=\"x\ry\"\r\na",
                "1;a=\"\\\r\n",
                "1;a\nb",
                "1;a\rb",
                "1\na",
                "1\rXa",
                "1;a=\"b\"c\r\na",
                "1;a b\r\na",
                "1;a \r\na",
                "\u000b1\r\na",
                "1\u0000\r\na",
                "g\r\na",
                "1;a=b\u0000\r\na",
                ";a\r\na",
                "1\r\nab\r\n",
                "1\r\na\n0\r\n\r\n",
                "1\r\na\rX",
                "1\r\na0\r\n\r\n",
                "1\r\na\r\r\n"
            })
    void shouldRefuseAChunk(String chunk) {
        List<String> decoded =
                decode(HttpLimits.standard(), CHUNKED + chunk + "\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n");
        assertEquals("failure 400", decoded.get(decoded.size() - 1), decoded::toString);
        assertTrue(decoded.toString().indexOf("smuggled") < 0, decoded::toString);
    }

    @Test
    void shouldLimitChunkSizeLinesAndTheirTotal() {
        HttpLimits limits = HttpLimits.standard().toBuilder()
                .maxChunkLineLength(10)
                .maxChunkOverhead(20)
                .build();
        String head = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
        assertEquals("chunk a", decode(limits, head + "1;23456789\r\na\r\n").get(1));
        assertEquals(
                "failure 400", decode(limits, head + "1;2345678901\r\na\r\n").get(1));
        assertEquals("failure 400", decode(limits, head + "1;" + "x".repeat(20)).get(1));
        assertEquals(
                List.of("chunk a", "chunk a", "failure 400"),
                decode(limits, head + "1;23456789\r\na\r\n1;23456789\r\na\r\n1;23456789\r\na\r\n")
                        .subList(1, 4));
    }

    @Test
    void shouldLimitTheContentIfConfigured() {
        HttpLimits limits =
                HttpLimits.standard().toBuilder().maxContentLength(5).build();
        assertEquals(List.of("failure 413"), decode(limits, "POST / HTTP/1.1\r\nContent-Length: 6\r\n\r\nabcdef"));
        assertEquals(
                List.of("chunk abc", "failure 413"),
                decode(limits, "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n3\r\nabc\r\n")
                        .subList(1, 3));
    }

    @Test
    void shouldEndWithTheTrailerLessWhatMustNotBeThere() {
        List<String> decoded = decode(
                HttpLimits.standard(),
                CHUNKED + "0\r\nChecksum: 1\r\nContent-Length: 5\r\nHost: a b\r\nX: y\r\n\r\nGET / HTTP/1.1\r\n\r\n");
        assertEquals(List.of("end Checksum:1 X:y", "GET / HTTP/1.1 <>"), decoded.subList(1, 3));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 5\r\n 6", "A b: c", "A", "A: \u0000", " A: b", "A: b\n", "A: b\r\n c"})
    void shouldRefuseATrailer(String lines) {
        List<String> decoded = decode(HttpLimits.standard(), CHUNKED + "0\r\n" + lines + "\r\n\r\n");
        assertEquals(List.of("failure 400"), decoded.subList(1, decoded.size()));
    }

    @Test
    void shouldLimitTheTrailer() {
        HttpLimits limits = HttpLimits.standard().toBuilder().maxTrailerSize(20).build();
        List<String> decoded =
                decode(limits, "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: " + "x".repeat(30));
        assertEquals("failure 431", decoded.get(1));
    }

    @Test
    void shouldTakeNothingOfTheNextRequestForTheContentOfAHandshake() {
        assertRequests(
                "GET / HTTP/1.1\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key1: a\r\n"
                        + "Sec-WebSocket-Key2: b\r\n\r\nGET /b HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1 Upgrade:WebSocket Connection:Upgrade Sec-WebSocket-Key1:a Sec-WebSocket-Key2:b <>",
                "GET /b HTTP/1.1 <>");
    }

    @Test
    void shouldReadTheDraft76HandshakeWithItsContentIfAllowed() {
        assertEquals(
                "<12345678>",
                decode(
                                HttpLimits.standard().toBuilder()
                                        .allow(HttpViolation.DRAFT_76_HANDSHAKES)
                                        .build(),
                                "GET / HTTP/1.1\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key1: a\r\n"
                                        + "Sec-WebSocket-Key2: b\r\n\r\n12345678GET / HTTP/1.1\r\n\r\n")
                        .get(0)
                        .replaceAll(".* ", ""));
    }

    // ---- after a request ----

    @Test
    void shouldDropBytesAfterARequestThatCloses() {
        assertRequests(
                "GET / HTTP/1.1\r\nConnection: x, Close\r\n\r\nGET /b HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1 Connection:x, Close <>");
    }

    @Test
    void shouldSendNothingForAMessageThatIsCutOff() {
        String input = POST + "Content-Length: 3\r\n\r\nabc";
        for (int length = 0; length < input.length(); length++) {
            assertEquals(List.of(), decode(HttpLimits.standard(), input.substring(0, length)));
        }
    }

    @Test
    void shouldDecodeNothingAfterAFailureEvenIfASubclassSetsTheState() {
        assertEquals(
                List.of("failure 400"),
                Decoded.of(
                        () -> new HttpRequestDecoder() {
                            @Override
                            protected Object decode(
                                    org.freshet.channel.ChannelHandlerContext ctx,
                                    org.freshet.channel.Channel channel,
                                    org.freshet.buffer.ChannelBuffer buffer,
                                    State state)
                                    throws Exception {
                                try {
                                    return super.decode(ctx, channel, buffer, state);
                                } catch (MalformedHttpMessageException e) {
                                    setState(State.SKIP_CONTROL_CHARS);
                                    throw e;
                                }
                            }
                        },
                        "GET /\r\n\r\nGET / HTTP/1.1\r\n\r\n"));
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

    @Test
    void shouldDropBytesAfterAVersion10RequestUnlessItKeepsTheConnection() {
        String get = "GET / HTTP/1.0\r\n\r\n";
        assertRequests(get + get, "GET / HTTP/1.0 <>");
        assertRequests(
                "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n" + get,
                "GET / HTTP/1.0 Connection:keep-alive <>",
                "GET / HTTP/1.0 <>");
    }

    private static void assertRequests(String input, String... expected) {
        assertEquals(List.of(expected), decode(HttpLimits.standard(), input));
    }

    private static void assertRefused(int status, String input) {
        assertEquals(
                List.of("failure " + status), decode(HttpLimits.standard(), input + "GET /behind HTTP/1.1\r\n\r\n"));
    }

    private static List<String> decode(HttpLimits limits, String input) {
        return Decoded.of(() -> new HttpRequestDecoder(limits), input);
    }

    private static HttpRequest one(String input) {
        org.freshet.handler.codec.embedder.DecoderEmbedder<HttpRequest> embedder =
                new org.freshet.handler.codec.embedder.DecoderEmbedder<>(new HttpRequestDecoder());
        embedder.offer(org.freshet.buffer.ChannelBuffers.wrappedBuffer(input.getBytes(ISO_8859_1)));
        return embedder.poll();
    }
}
