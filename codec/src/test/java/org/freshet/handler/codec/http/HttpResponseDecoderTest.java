package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How responses are decoded, and which are refused, however their bytes are split. */
class HttpResponseDecoderTest {
    @Test
    void shouldDropACodingThatASwitchOfProtocolsCannotHave() {
        assertEquals(
                List.of("101 x HTTP/1.1 Sec-WebSocket-Origin:a Sec-WebSocket-Location:b <0123456789abcdef>", "raw z"),
                Decoded.of(
                        HttpResponseDecoder::new,
                        "HTTP/1.1 101 x\r\nSec-WebSocket-Origin: a\r\nSec-WebSocket-Location: b\r\n"
                                + "Transfer-Encoding: chunked\r\n\r\n0123456789abcdefz"));
    }

    @Test
    void shouldDecodeResponses() {
        assertResponses(
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabHTTP/1.1 404 Nope\r\nContent-Length: 0\r\n\r\n",
                "200 OK HTTP/1.1 Content-Length:2 <ab>",
                "404 Nope HTTP/1.1 Content-Length:0 <>");
    }

    @Test
    void shouldAcceptAnyReasonPhraseOrNone() {
        assertResponses("HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", "200  HTTP/1.1 Content-Length:0 <>");
        assertResponses("HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n", "200  HTTP/1.1 Content-Length:0 <>");
        assertResponses(
                "HTTP/1.0 999 \u00e4 \u00ff\r\nContent-Length: 0\r\n\r\n",
                "999 \u00e4 \u00ff HTTP/1.0 Content-Length:0 <>");
    }

    @Test
    void shouldAcceptLfAndFoldedHeadersInAHead() {
        assertResponses(
                "HTTP/1.1 200 OK\nContent-Length: 0\nA: b \r\n\t c\n  d\r\nB:\r\n e\r\n\n",
                "200 OK HTTP/1.1 Content-Length:0 A:b c d B:e <>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 20 OK\r\n\r\n",
                "HTTP/1.1 2000 OK\r\n\r\n",
                "HTTP/1.1 099 x\r\n\r\n",
                "HTTP/1.1 2x0 OK\r\n\r\n",
                "HTTP/1.1  200 OK\r\n\r\n",
                "HTTP/1.1\r\n\r\n",
                "HTTP/1.1 200 O\u0000K\r\n\r\n",
                "HTTP/1.1 200 OK\rX\r\n\r\n",
                "http/1.1 200 OK\r\n\r\n",
                "HTTP/2.0 200 OK\r\n\r\n",
                "ICY 200 OK\r\n\r\n",
                "HTTP/1.1\t200 OK\r\n\r\n",
                "HTTP/1.1 200 OK\r\r\n\r\n",
                "HTTP/1.1 200 OK\r\nA : b\r\n\r\n",
                "HTTP/1.1 200 OK\r\n A: b\r\n\r\n",
                "HTTP/1.1 200 OK\r\nA\r\n\r\n",
                "HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n",
                "HTTP/1.1 200 OK\r\nA: b\r\n\rX",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n 2\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\n chunked\r\n , x\r\n\r\n",
                "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, chunked\r\n\r\n"
            })
    void shouldRefuseAHead(String input) {
        assertResponses(input + "HTTP/1.1 204 No Content\r\n\r\n", "failure 502");
    }

    @ParameterizedTest
    @CsvSource({"100", "102", "103", "204", "205", "304"})
    void shouldReadNoContentIfThereCannotBeAny(int status) {
        List<String> decoded = decode(
                "HTTP/1.1 " + status + " x\r\nContent-Length: 5\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        assertEquals(
                List.of(status + " x HTTP/1.1 Content-Length:5 <>", "200 OK HTTP/1.1 Content-Length:0 <>"), decoded);
    }

    @Test
    void shouldDropTheCodingOfAResponseWithoutContent() {
        assertResponses("HTTP/1.1 204 x\r\nTransfer-Encoding: chunked\r\n\r\n", "204 x HTTP/1.1 <>");
    }

    @Test
    void shouldReadContentUntilTheConnectionCloses() {
        assertResponses("HTTP/1.1 200 OK\r\n\r\nabc\r\n", "200 OK HTTP/1.1 chunked", "chunk abc\r\n", "end");
        assertResponses("HTTP/1.1 200 OK\r\n\r\n", "200 OK HTTP/1.1 chunked", "end");
        assertResponses(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nabc",
                "200 OK HTTP/1.1 Transfer-Encoding:gzip chunked",
                "chunk abc",
                "end");
    }

    @Test
    void shouldPassBytesAfterTheProtocolChanged() {
        assertResponses(
                "HTTP/1.1 101 x\r\nSec-WebSocket-Accept: a\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
                "101 x HTTP/1.1 Sec-WebSocket-Accept:a <>",
                "raw HTTP/1.1 200 OK\r\n\r\n");
    }

    @Test
    void shouldReadTheDraft76HandshakeWithItsContent() {
        assertResponses(
                "HTTP/1.1 101 x\r\nSec-WebSocket-Origin: a\r\nSec-WebSocket-Location: b\r\n\r\n0123456789abcdefraw",
                "101 x HTTP/1.1 Sec-WebSocket-Origin:a Sec-WebSocket-Location:b <0123456789abcdef>",
                "raw raw");
    }

    @Test
    void shouldRefuseBytesAfterAResponseThatCloses() {
        assertResponses(
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\na",
                "200 OK HTTP/1.1 Connection:close Content-Length:1 <a>");
        assertResponses(
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\nab",
                "200 OK HTTP/1.1 Connection:close Content-Length:1 <a>",
                "failure 502");
    }

    @Test
    void shouldDecodeChunksWithATrailer() {
        assertResponses(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nA: b\r\n c\r\n\r\n",
                "200 OK HTTP/1.1 Transfer-Encoding:chunked chunked",
                "chunk a",
                "end A:b c");
    }

    /** Programs compare them by identity. */
    @Test
    void shouldReturnTheConstantOfAStatusWithItsUsualPhrase() {
        DecoderEmbedder<HttpResponse> decoder = new DecoderEmbedder<>(new HttpResponseDecoder());
        String empty = "\r\nContent-Length: 0\r\n\r\n";
        decoder.offer(ChannelBuffers.copiedBuffer(
                "HTTP/1.1 404 Not Found" + empty + "HTTP/1.1 404 Nowhere" + empty, US_ASCII));
        assertSame(HttpResponseStatus.NOT_FOUND, decoder.poll().getStatus());
        assertEquals("Nowhere", decoder.poll().getStatus().getReasonPhrase());
    }

    /** It closes once it is no longer HTTP. */
    @Test
    void shouldPassBytesAfterASwitchOfProtocolsThatAlsoCloses() {
        assertResponses(
                "HTTP/1.1 101 x\r\nConnection: close\r\n\r\nraw", "101 x HTTP/1.1 Connection:close <>", "raw raw");
    }

    private static void assertResponses(String input, String... expected) {
        assertEquals(List.of(expected), decode(input));
    }

    private static List<String> decode(String input) {
        return Decoded.of(HttpResponseDecoder::new, input);
    }
}
