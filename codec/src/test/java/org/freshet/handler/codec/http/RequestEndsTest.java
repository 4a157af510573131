package org.freshet.handler.codec.http;

import static org.freshet.handler.codec.http.WrittenParts.bytes;
import static org.freshet.handler.codec.http.WrittenParts.chunk;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A response is missing once its request was written completely, in whatever way, and not before. */
class RequestEndsTest {
    private final HttpTestServer client = new HttpTestServer(new HttpClientCodec(HttpLimits.defaults(), true));

    private static HttpRequest request(String method, int length, boolean isChunked) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.valueOf(method), "a:1");
        if (length >= 0) {
            HttpHeaders.setContentLength(request, length);
        }
        request.setChunked(isChunked);
        return request;
    }

    private static HttpRequest get() {
        return request("GET", -1, false);
    }

    private static HttpRequest withLength(int length) {
        return request("POST", length, false);
    }

    private static HttpRequest inChunks() {
        return request("POST", -1, true);
    }

    static Stream<Arguments> parts() {
        Object notHttp = new Object();
        HttpRequest upgrade = get();
        upgrade.headers().set("Upgrade", "x");
        return Stream.of(
                Arguments.of(0, List.of(bytes("PROXY UNKNOWN\r\n"))),
                Arguments.of(0, List.of(notHttp)),
                Arguments.of(1, List.of(get(), notHttp)),
                Arguments.of(2, List.of(get(), get())),
                Arguments.of(1, List.of(withLength(0))),
                Arguments.of(2, List.of(request("POST", 0, true), get())),
                Arguments.of(0, List.of(withLength(4))),
                Arguments.of(0, List.of(withLength(4), chunk("ab"))),
                Arguments.of(1, List.of(withLength(4), chunk("ab"), chunk("cd"))),
                Arguments.of(1, List.of(withLength(4), chunk("abcd"), HttpChunk.LAST_CHUNK)),
                Arguments.of(0, List.of(withLength(4), bytes("ab"))),
                Arguments.of(1, List.of(withLength(4), bytes("ab"), notHttp, bytes("cd"))),
                Arguments.of(1, List.of(withLength(4), bytes("ab"), bytes(""), chunk("cd"))),
                Arguments.of(0, List.of(inChunks())),
                Arguments.of(0, List.of(inChunks(), notHttp, chunk("ab"))),
                Arguments.of(1, List.of(inChunks(), chunk("ab"), HttpChunk.LAST_CHUNK)),
                Arguments.of(2, List.of(inChunks(), HttpChunk.LAST_CHUNK, get())),
                Arguments.of(1, List.of(inChunks(), bytes("2\r\nab\r\n"), bytes("0\r\n\r\n"))),
                Arguments.of(1, List.of(request("CONNECT", -1, false), bytes("raw"))),
                Arguments.of(1, List.of(upgrade, bytes("raw"))));
    }

    @ParameterizedTest
    @MethodSource("parts")
    void shouldMissAResponseForEachCompleteRequest(int missing, List<Object> parts) {
        for (Object part : parts) {
            assertTrue(client.channel.write(part).isSuccess());
        }
        client.channel.close();
        String failure =
                "the channel closed with " + missing + (missing == 1 ? " response missing" : " responses missing");
        assertEquals(
                missing == 0 ? List.of() : List.of(failure),
                client.channel.takeCaught().stream().map(Throwable::getMessage).toList());
    }

    static Stream<List<Object>> complete() {
        return Stream.of(
                List.of(inChunks(), chunk("ab"), HttpChunk.LAST_CHUNK),
                List.of(withLength(2), chunk("ab")),
                List.of(withLength(2), bytes("ab")));
    }

    /** The server would read it as its next request, unless this one leaves HTTP. */
    @ParameterizedTest
    @MethodSource("complete")
    void shouldRefuseContentAfterACompleteRequest(List<Object> parts) {
        parts.forEach(client.channel::write);
        assertInstanceOf(
                IllegalStateException.class, client.channel.write(bytes("x")).getCause());
        assertInstanceOf(
                IllegalStateException.class, client.channel.write(chunk("x")).getCause());
        assertTrue(client.channel.write(get()).isSuccess());

        ((HttpRequest) parts.get(0)).headers().set("Upgrade", "x");
        parts.forEach(client.channel::write);
        assertTrue(client.channel.write(bytes("x")).isSuccess());
    }
}
