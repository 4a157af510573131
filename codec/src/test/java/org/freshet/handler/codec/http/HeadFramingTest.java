package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Start lines at their limits, folded values, and header lines that decide where a message ends. */
class HeadFramingTest {
    private static final HttpLimits LAX = HttpLimits.netty3();

    private static List<String> requests(HttpLimits limits, String input) {
        return Decoded.of(() -> new HttpRequestDecoder(limits), input);
    }

    private static List<String> responses(HttpLimits limits, String input) {
        return Decoded.of(() -> new HttpResponseDecoder(limits), input);
    }

    /** The requests of an input that arrives in one piece. */
    private static List<String> whole(HttpLimits limits, String input) {
        byte[] bytes = input.getBytes(ISO_8859_1);
        return Decoded.inPieces(() -> new HttpRequestDecoder(limits), bytes, bytes.length);
    }

    private static HttpLimits lines(int max) {
        return LAX.toBuilder().maxInitialLineLength(max).build();
    }

    // ---- the length of start lines ----

    @ParameterizedTest
    @ValueSource(strings = {"GET /abc HTTP/1.1", "POST / HTTP/1.1", "PURGE /x HTTP/1.0"})
    void shouldLimitARequestLine(String line) {
        for (String end : List.of("\r\n", "\n")) {
            for (int max = 1; max < line.length() + 3; max++) {
                String expected = max < line.length()
                        ? "failure 414"
                        : line.replace("/1.0", "/1.0").concat(" <>");
                String input = line + end + end;
                assertEquals(List.of(expected), requests(lines(max), input), line + " with a limit of " + max);
                assertEquals(List.of(expected), whole(lines(max), "\n" + input), line + " after an empty line");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"HTTP/1.1 204 No Content", "HTTP/1.1 204", "HTTP/1.0 204 x"})
    void shouldLimitAStatusLine(String line) {
        String version = line.substring(0, 8);
        String status = line.length() > 12 ? line.substring(9) : "204 ";
        for (String end : List.of("\r\n", "\n")) {
            for (int max = 1; max < line.length() + 3; max++) {
                String expected = max < line.length() ? "failure 502" : status + " " + version + " <>";
                assertEquals(
                        List.of(expected), responses(lines(max), line + end + end), line + " with a limit of " + max);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {" / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\rX\r\n\r\n", "\rX", "GET / HTTP/1.1\r\n\rX"})
    void shouldRefuseARequestEvenIfMuchIsAllowed(String input) {
        assertEquals(List.of("failure 400"), requests(LAX, input));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " 200 OK\r\n\r\n",
                "HTTP/1.1 /00 OK\r\n\r\n",
                "HTTP/1.1 2:0 OK\r\n\r\n",
                "HTTP/1.1 20: OK\r\n\r\n",
                "HTTP/1.1 2/0 OK\r\n\r\n",
                "HTTP/1.1 20/ OK\r\n\r\n",
                "HTTP/1.1 :00 OK\r\n\r\n",
                "\rX"
            })
    void shouldRefuseAStatusLine(String input) {
        assertEquals(List.of("failure 502"), responses(HttpLimits.standard(), input));
    }

    /** The message is what an operator sees in the log. */
    @ParameterizedTest
    @CsvSource({
        "true,' / HTTP/1.1',an empty method",
        "true,GET(/ HTTP/1.1,after the method",
        "true,GET / HTTP/1#1,a version that is not HTTP/1.x",
        "true,GET / HTTP/1.x,a version that is not HTTP/1.x",
        "true,GET / HTTP/2.0,a version that is not HTTP/1.x: HTTP/2.0",
        "false,' 200 OK',an empty version",
        "false,HTTP/1.1\t200 OK,after the version",
        "false,HTTP/1#1 200 OK,a version that is not HTTP/1.x",
    })
    void shouldSayWhatIsWrongWithAStartLine(boolean request, String line, String message) {
        DecoderEmbedder<Object> decoder =
                new DecoderEmbedder<>(request ? new HttpRequestDecoder() : new HttpResponseDecoder());
        ChannelBuffer head = ChannelBuffers.copiedBuffer(line + "\r\nHost: a\r\n\r\n", ISO_8859_1);
        Throwable failure = assertThrows(CodecEmbedderException.class, () -> decoder.offer(head))
                .getCause();
        assertTrue(failure.getMessage().contains(message), failure::getMessage);
    }

    @ParameterizedTest
    @CsvSource({"100", "199"})
    void shouldAcceptTheLowestAndHighestStatuses(int code) {
        assertEquals(
                List.of(code + " x HTTP/1.1 <>", "999 x HTTP/1.1 Content-Length:0 <>"),
                responses(
                        HttpLimits.standard(),
                        "HTTP/1.1 " + code + " x\r\n\r\nHTTP/1.1 999 x\r\nContent-Length: 0\r\n\r\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n\n", "\n\n\r\n"})
    void shouldSkipEmptyLinesThatEndInLfWhereThatIsAllowed(String lines) {
        assertEquals(List.of("GET / HTTP/1.1 <>"), requests(LAX, lines + "GET / HTTP/1.1\r\n\r\n"));
        assertEquals(List.of("failure 400"), requests(HttpLimits.standard(), lines + "GET / HTTP/1.1\r\n\r\n"));
        assertEquals(List.of("204 x HTTP/1.1 <>"), responses(HttpLimits.standard(), lines + "HTTP/1.1 204 x\r\n\r\n"));
    }

    @ParameterizedTest
    @CsvSource({"10,'\r\n',5,true", "10,'\r\n',6,false", "3,'\n',3,true", "3,'\n',4,false"})
    void shouldLimitEmptyLinesBeforeAMessage(int max, String line, int count, boolean isAccepted) {
        List<String> decoded = requests(lines(Math.max(max, 1)), line.repeat(count) + "A");
        assertEquals(isAccepted ? List.of() : List.of("failure 400"), decoded);
    }

    /** In one piece with another request, and after all sizes up to the limit have arrived. */
    @ParameterizedTest
    @CsvSource({"20,true", "21,false"})
    void shouldLimitTheHeadersOfEachRequest(int bytes, boolean isAccepted) {
        HttpLimits limits = LAX.toBuilder().maxHeaderSize(20).maxTrailerSize(20).build();
        String value = "x".repeat(bytes - 7);
        String first = "GET /1 HTTP/1.1\r\n\r\n";
        List<String> decoded = requests(limits, first + "GET /2 HTTP/1.1\r\nA: " + value + "\r\n\r\n");
        assertEquals(isAccepted ? "GET /2 HTTP/1.1 A:" + value + " <>" : "failure 431", decoded.get(1));
        decoded = requests(limits, first + "GET /2 HTTP/1.1\r\nA: " + value + "yyyyyyyyyyyy");
        assertEquals("failure 431", decoded.get(1));
        HttpLimits trailers = LAX.toBuilder().maxTrailerSize(20).build();
        decoded = requests(
                trailers, "PUT /1 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: " + value + "\r\n\r\n");
        assertEquals(isAccepted ? "end A:" + value : "failure 431", decoded.get(1));
    }

    /** Their bytes are copied into an array, but only as many as a head can have. */
    @Test
    void shouldAcceptALargestHeadAndChunkLineWithoutAnArray() {
        HttpLimits limits = LAX.toBuilder()
                .maxInitialLineLength(20)
                .maxHeaderSize(30)
                .maxChunkLineLength(10)
                .build();
        byte[] input = ("PUT /234567 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "1;23456789\r\na\r\n0;23456789\r\nB: c\r\n\r\n")
                .getBytes(ISO_8859_1);
        DecoderEmbedder<Object> decoder = new DecoderEmbedder<>(new HttpRequestDecoder(limits));
        ChannelBuffer direct = ChannelBuffers.directBuffer(input.length);
        direct.writeBytes(input);
        decoder.offer(direct);
        assertEquals("PUT /234567 HTTP/1.1 Transfer-Encoding:chunked chunked", Decoded.describe(decoder.poll()));
        assertEquals("chunk a", Decoded.describe(decoder.poll()));
        assertEquals("end B:c", Decoded.describe(decoder.poll()));
    }

    // ---- folded values ----

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'A: b\r\n c'|b c",
                "'A: b \t\r\n \t c'|b c",
                "'A:\r\n b'|b",
                "'A: \r\n \r\n b'|b",
                "'A: b\r\n \r\n c'|b c",
                "'A: b\r\n \r\n'|b",
                "'A: b\r\n\t\r\n '|b",
                "'A: b\n c\n\td'|b c d",
                "'A:\r\n \r\n '|''",
            })
    void shouldJoinAFoldedValueWithSingleBlanks(String header, String value) {
        assertEquals(
                List.of("204 x HTTP/1.1 X:1 A:" + value + " Y:2 <>"),
                responses(
                        HttpLimits.standard(),
                        "HTTP/1.1 204 x\r\nX: 1\r\n" + header + (header.endsWith("\n") ? "" : "\r\n")
                                + "Y: 2\r\n\r\n"));
    }

    // ---- what ends a message ----

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked'|'chunk a'",
                "'Transfer-Encoding: gzip, \t chunked'|'chunk a'",
                "'Transfer-Encoding: chunked, gzip'|'chunk 1\r\na\r\n0\r\n\r\n'",
                "'Transfer-Encoding: chunked, gzip, br'|'chunk 1\r\na\r\n0\r\n\r\n'",
                "'Transfer-Encoding: chunkec'|'chunk 1\r\na\r\n0\r\n\r\n'",
                "'Transfer-Encoding: chunked, gzip, chunked'|failure 502",
                "'Transfer-Encoding: gzip,, chunked'|failure 502",
                "'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked'|failure 502",
            })
    void shouldFrameAResponseByItsLastCoding(String lines, String content) {
        List<String> decoded =
                responses(HttpLimits.standard(), "HTTP/1.1 200 x\r\n" + lines + "\r\n\r\n1\r\na\r\n0\r\n\r\n");
        assertEquals(content, decoded.get(content.startsWith("failure") ? 0 : 1));
    }

    /** Neither the phrase nor Expect says anything about a response's content or its connection. */
    @ParameterizedTest
    @CsvSource({"HTTP/1.1 200 Proxy/1.0", "HTTP/1.0 200 x", "HTTP/1.0 200 Proxy/1.0"})
    void shouldDecodeTheNextResponse(String line) {
        String rest = "\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n";
        List<String> decoded = responses(HttpLimits.standard(), (line + rest + "a").repeat(2));
        assertEquals(2, decoded.size(), decoded::toString);
        assertEquals("<a>", decoded.get(1).substring(decoded.get(1).length() - 3));
    }

    /** Host is for requests only. */
    @ParameterizedTest
    @ValueSource(strings = {"Host: a b", "Host: a\r\nHost: b", "Host:"})
    void shouldIgnoreHostInAResponse(String lines) {
        List<String> decoded = responses(HttpLimits.standard(), "HTTP/1.1 204 x\r\n" + lines + "\r\n\r\n");
        assertEquals(1, decoded.size());
        assertEquals("204 x HTTP/1.1 Host:", decoded.get(0).substring(0, 20));
    }

    @ParameterizedTest
    @CsvSource({
        "'',1.1,false,failure 400",
        "'',1.0,false,GET / HTTP/1.0 <>",
        "'Host: a\r\n',1.1,false,GET / HTTP/1.1 Host:a <>",
        "'Host:\r\n',1.1,false,failure 400",
        "'Host:\r\n',1.1,true,GET / HTTP/1.1 Host: <>",
        "'',1.1,true,GET / HTTP/1.1 <>",
    })
    void shouldRequireAHostUnlessAllowed(String host, String version, boolean isAllowed, String expected) {
        HttpLimits limits = isAllowed ? HttpLimits.standard() : HttpLimits.strict();
        assertEquals(List.of(expected), requests(limits, "GET / HTTP/" + version + "\r\n" + host + "\r\n"));
    }

    @ParameterizedTest
    @CsvSource({
        "1.0,keep-alive,true",
        "1.0,'a, Keep-Alive ,b',true",
        "1.0,'keep-alive, close',false",
        "1.0,keep-aliv,false",
        "1.0,,false",
        "1.1,,true",
        "1.1,keep-alive,true",
        "1.1,'x,CLOSE',false",
        "1.1,'x, close ',false",
        "1.1,closed,true",
        "1.1,'x,\r\n close',false",
        "1.1,'close\r\n ,x',false",
        "1.1,'close \r\n\t, x',false",
        "1.1,'x\r\n close',true",
        "1.0,'keep-alive\r\n , x',true",
    })
    void shouldDecodeTheNextRequestIfTheConnectionIsKept(String version, String connection, boolean isKept) {
        String line = connection == null ? "" : "Connection: " + connection + "\r\n";
        List<String> decoded = requests(LAX, "GET /1 HTTP/" + version + "\r\n" + line + "\r\nGET /2 HTTP/1.1\r\n\r\n");
        assertEquals(isKept ? 2 : 1, decoded.size(), decoded::toString);
    }

    /** If they are sent in chunks, the client gets its answer before the content. */
    @ParameterizedTest
    @CsvSource({"'100-continue',true", "'\r\n 100-Continue',true", "'100-continue\r\n x',false", "'\r\n x',false"})
    void shouldUnderstandAFoldedExpectation(String expectation, boolean isUnderstood) {
        List<String> decoded =
                requests(LAX, "PUT / HTTP/1.1\r\nExpect: " + expectation + "\r\nContent-Length: 1\r\n\r\na");
        assertEquals(isUnderstood ? 3 : 1, decoded.size(), decoded::toString);
    }

    static List<String> draft76() {
        return List.of("Upgrade: WebSocket", "Connection: Upgrade", "Sec-WebSocket-Key1: 1", "Sec-WebSocket-Key2: 2");
    }

    /** Without one of them, the eight bytes would be the next request. */
    @ParameterizedTest
    @MethodSource("draft76")
    void shouldReadTheContentOfAHandshakeOnlyIfAllItsHeadersArePresent(String missing) {
        String all = String.join("\r\n", draft76()) + "\r\n\r\n";
        assertEquals(1, requests(LAX, "GET / HTTP/1.1\r\n" + all + "12345678").size());
        String others = all.replace(missing + "\r\n", "");
        List<String> decoded = requests(LAX, "GET / HTTP/1.1\r\n" + others + "GET /2 HTTP/1.1\r\n\r\n");
        assertEquals(2, decoded.size(), decoded::toString);
        decoded = requests(LAX, "POST / HTTP/1.1\r\n" + all + "GET /2 HTTP/1.1\r\n\r\n");
        assertEquals(2, decoded.size(), decoded::toString);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sec-WebSocket-Origin: a\r\n",
                "Sec-WebSocket-Location: a\r\n",
                "Sec-WebSocket-Origin: a\r\nSec-WebSocket-Location: b\r\nSec-WebSocket-Accept: c\r\n"
            })
    void shouldReadNoContentOfAnotherSwitchOfProtocols(String lines) {
        List<String> decoded = responses(HttpLimits.standard(), "HTTP/1.1 101 x\r\n" + lines + "\r\n0123456789abcdef");
        assertEquals("raw 0123456789abcdef", decoded.get(1));
    }

    @ParameterizedTest
    @CsvSource({"9223372036854775807,true", "0000000000000000005,true", "9223372036854775808,false"})
    void shouldAcceptTheLargestLength(String length, boolean isAccepted) {
        List<String> decoded = requests(LAX, "PUT / HTTP/1.1\r\nContent-Length: " + length + "\r\n\r\nabcde");
        assertEquals(isAccepted, !decoded.get(0).equals("failure 400"));
    }

    /** Both framings, and equal lengths: whatever Netty 3 accepted ends the connection or means the same. */
    @ParameterizedTest
    @CsvSource({
        "'Content-Length: 5\r\nTransfer-Encoding: chunked',1",
        "'Content-Length: 0\r\nTransfer-Encoding: chunked',1",
        "'Content-Length: 0\r\nContent-Length: 11',0",
        "'Content-Length: 11\r\nContent-Length: 0',0",
        "'Content-Length: 11\r\nContent-Length: 12',0",
        "'Transfer-Encoding: chunked',2",
        "'Content-Length: 11\r\nContent-Length: 11',2",
    })
    void shouldEndTheConnectionAfterARequestWithBothFramings(String lines, int requests) {
        List<String> decoded =
                requests(LAX, "PUT / HTTP/1.1\r\n" + lines + "\r\n\r\n1\r\na\r\n0\r\n\r\nGET /2 HTTP/1.1\r\n\r\n");
        assertEquals(
                requests,
                decoded.stream().filter(text -> text.contains("HTTP/1.1")).count(),
                decoded::toString);
    }

    // ---- limits of content ----

    @ParameterizedTest
    @CsvSource({"5,true", "6,false"})
    void shouldAcceptContentUpToItsLimitHoweverItIsFramed(int length, boolean isAccepted) {
        HttpLimits limits =
                HttpLimits.standard().toBuilder().maxContentLength(5).build();
        String content = "abcdef".substring(0, length);
        List<String> decoded = responses(limits, "HTTP/1.1 200 x\r\nContent-Length: " + length + "\r\n\r\n" + content);
        assertEquals(
                isAccepted ? "200 x HTTP/1.1 Content-Length:5 <abcde>" : "failure 502",
                decoded.get(decoded.size() - 1));
        decoded = responses(
                limits,
                "HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n" + (length - 2) + "\r\n"
                        + content.substring(2) + "\r\n0\r\n\r\n");
        assertEquals(isAccepted ? "end" : "failure 502", decoded.get(decoded.size() - 1));
        byte[] untilClose = ("HTTP/1.1 200 x\r\n\r\n" + content).getBytes(ISO_8859_1);
        decoded = Decoded.inPieces(() -> new HttpResponseDecoder(limits), untilClose, 1);
        assertEquals(isAccepted ? "end" : "failure 502", decoded.get(decoded.size() - 1));
    }
}
