package org.freshet.handler.codec.http;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The headers of a trailer section. Headers that frame, route or control a message are not allowed (RFC 9110 6.5.1).
 */
final class TrailerHeaders extends DefaultHttpHeaders {
    /** In lower case. */
    private static final Set<String> PROHIBITED = new HashSet<>(List.of(
            "age",
            "authorization",
            "cache-control",
            "connection",
            "content-encoding",
            "content-length",
            "content-range",
            "content-type",
            "cookie",
            "date",
            "expect",
            "expires",
            "host",
            "keep-alive",
            "location",
            "max-forwards",
            "pragma",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "range",
            "retry-after",
            "set-cookie",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "vary",
            "warning",
            "www-authenticate"));

    TrailerHeaders() {
        super(true);
    }

    static boolean isProhibited(String name) {
        return PROHIBITED.contains(name.toLowerCase(Locale.ROOT))
                || name.regionMatches(true, 0, "if-", 0, "if-".length());
    }

    @Override
    public HttpHeaders add(String name, Object value) {
        return super.add(allowed(name), value);
    }

    @Override
    public HttpHeaders add(String name, Iterable<?> values) {
        return super.add(allowed(name), values);
    }

    @Override
    public HttpHeaders set(String name, Object value) {
        return super.set(allowed(name), value);
    }

    @Override
    public HttpHeaders set(String name, Iterable<?> values) {
        return super.set(allowed(name), values);
    }

    /** @throws IllegalArgumentException if the name is not allowed in a trailer */
    static String allowed(String name) {
        if (isProhibited(name)) {
            throw new IllegalArgumentException("this header is not allowed in a trailer: " + name);
        }
        return name;
    }
}
