package org.freshet.handler.codec.http;

/** The defaults of the drop-in jar. It is used by compiled software that can't be changed. */
final class HttpDefaults {
    private HttpDefaults() {}

    /** Puts trailers among the headers: software for Netty 3 looks only there. */
    static HttpLimits of(HttpLimits standard) {
        return standard.toBuilder().allow(HttpViolation.TRAILERS_AS_HEADERS).build();
    }
}
