package org.freshet.handler.codec.http;

import static org.freshet.handler.codec.http.DecodedRequests.POST;
import static org.freshet.handler.codec.http.DecodedRequests.assertRefused;
import static org.freshet.handler.codec.http.DecodedRequests.assertRequests;
import static org.freshet.handler.codec.http.DecodedRequests.decode;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpRequestContentTest {
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
    void shouldDropBytesAfterAVersion10RequestUnlessItKeepsTheConnection() {
        String get = "GET / HTTP/1.0\r\n\r\n";
        assertRequests(get + get, "GET / HTTP/1.0 <>");
        assertRequests(
                "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n" + get,
                "GET / HTTP/1.0 Connection:keep-alive <>",
                "GET / HTTP/1.0 <>");
    }
}
