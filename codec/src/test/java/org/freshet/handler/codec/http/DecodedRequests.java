package org.freshet.handler.codec.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

/** Requests as {@link HttpRequestDecoder} decodes them, however their bytes are split. */
final class DecodedRequests {
    static final String POST = "POST / HTTP/1.1\r\nHost: h\r\n";
    static final String CHUNKED = POST + "Transfer-Encoding: chunked\r\n\r\n";

    private DecodedRequests() {}

    static void assertRequests(String input, String... expected) {
        assertEquals(List.of(expected), decode(HttpLimits.standard(), input));
    }

    static void assertRefused(int status, String input) {
        assertEquals(
                List.of("failure " + status), decode(HttpLimits.standard(), input + "GET /behind HTTP/1.1\r\n\r\n"));
    }

    static List<String> decode(HttpLimits limits, String input) {
        return Decoded.of(() -> new HttpRequestDecoder(limits), input);
    }
}
