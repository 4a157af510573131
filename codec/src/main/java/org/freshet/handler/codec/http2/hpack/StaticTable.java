package org.freshet.handler.codec.http2.hpack;

import java.util.HashMap;
import java.util.Map;

/** The 61 fields that every block may refer to (RFC 7541, appendix A), numbered from 1. Immutable; any thread. */
final class StaticTable {
    static final int LENGTH = 61;

    private static final String[] FIELDS = {
        ":authority", "",
        ":method", "GET",
        ":method", "POST",
        ":path", "/",
        ":path", "/index.html",
        ":scheme", "http",
        ":scheme", "https",
        ":status", "200",
        ":status", "204",
        ":status", "206",
        ":status", "304",
        ":status", "400",
        ":status", "404",
        ":status", "500",
        "accept-charset", "",
        "accept-encoding", "gzip, deflate",
        "accept-language", "",
        "accept-ranges", "",
        "accept", "",
        "access-control-allow-origin", "",
        "age", "",
        "allow", "",
        "authorization", "",
        "cache-control", "",
        "content-disposition", "",
        "content-encoding", "",
        "content-language", "",
        "content-length", "",
        "content-location", "",
        "content-range", "",
        "content-type", "",
        "cookie", "",
        "date", "",
        "etag", "",
        "expect", "",
        "expires", "",
        "from", "",
        "host", "",
        "if-match", "",
        "if-modified-since", "",
        "if-none-match", "",
        "if-range", "",
        "if-unmodified-since", "",
        "last-modified", "",
        "link", "",
        "location", "",
        "max-forwards", "",
        "proxy-authenticate", "",
        "proxy-authorization", "",
        "range", "",
        "referer", "",
        "refresh", "",
        "retry-after", "",
        "server", "",
        "set-cookie", "",
        "strict-transport-security", "",
        "transfer-encoding", "",
        "user-agent", "",
        "vary", "",
        "via", "",
        "www-authenticate", ""
    };

    /** The first number of each name. */
    private static final Map<String, Integer> NAMES = new HashMap<>();

    static {
        for (int number = LENGTH; number > 0; number--) {
            NAMES.put(name(number), number);
        }
    }

    private StaticTable() {}

    static String name(int number) {
        return FIELDS[2 * number - 2];
    }

    static String value(int number) {
        return FIELDS[2 * number - 1];
    }

    /** The first number with this name, or 0. */
    static int indexOf(String name) {
        Integer number = NAMES.get(name);
        return number == null ? 0 : number;
    }

    /** Searches from {@code first}, the first number of the name, for this value. Returns the number, or 0. */
    static int indexOf(int first, String value) {
        String name = name(first);
        for (int number = first; number <= LENGTH && name(number).equals(name); number++) {
            if (value(number).equals(value)) {
                return number;
            }
        }
        return 0;
    }
}
