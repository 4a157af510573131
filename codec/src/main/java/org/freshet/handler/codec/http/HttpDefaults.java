package org.freshet.handler.codec.http;

/** Defaults that differ between Freshet and its drop-in jar for Netty 3, which has a class of this name of its own. */
final class HttpDefaults {
    private HttpDefaults() {}

    /** The limits that hold where neither the program nor a system property gives any. */
    static HttpLimits of(HttpLimits standard) {
        return standard;
    }
}
