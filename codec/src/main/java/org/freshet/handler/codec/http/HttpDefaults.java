package org.freshet.handler.codec.http;

/** Defaults that differ between Freshet and its drop-in jar for Netty 3. That jar has its own class with this name. */
final class HttpDefaults {
    private HttpDefaults() {}

    /** The limits to use if neither the program nor a system property sets any. */
    static HttpLimits of(HttpLimits standard) {
        return standard;
    }
}
