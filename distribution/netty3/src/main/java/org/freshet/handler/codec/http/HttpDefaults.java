package org.freshet.handler.codec.http;

/** The defaults of the drop-in jar, which is used by software whose sources nobody at hand can change. */
final class HttpDefaults {
    private HttpDefaults() {}

    /** Software for Netty 3 looks for trailers among the headers, and nowhere else. */
    static HttpLimits of(HttpLimits standard) {
        return standard.toBuilder().allow(HttpViolation.TRAILERS_AS_HEADERS).build();
    }
}
