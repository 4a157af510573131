package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http.DecodedRequests.CHUNKED;
import static org.freshet.handler.codec.http.DecodedRequests.POST;
import static org.freshet.handler.codec.http.DecodedRequests.assertRequests;
import static org.freshet.handler.codec.http.DecodedRequests.decode;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpRequestChunksTest {
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
}
