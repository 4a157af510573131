package org.freshet.handler.codec.http2.hpack;

/**
 * Whether a field enters the table that both sides keep. A value that won't be repeated only displaces others. A secret in the
 * same table as values chosen by an attacker can be guessed from the size of the output (RFC 7541 7.1), so every hop must keep
 * it out.
 */
enum Indexing {
    ADD(0x40, 6),
    SKIP(0x00, 4),
    NEVER(0x10, 4);

    /** A short cookie can be guessed in few attempts; a long one is worth sending once. */
    private static final int SHORT_COOKIE = 20;

    private static final int LONG_PATH = 64;

    /** The first octet of a literal field, and how many of its bits begin the name's index. */
    final int pattern;

    final int prefixBits;

    Indexing(int pattern, int prefixBits) {
        this.pattern = pattern;
        this.prefixBits = prefixBits;
    }

    static boolean isAlwaysNever(String name) {
        return switch (name) {
            case "authorization", "proxy-authorization", "set-cookie" -> true;
            default -> false;
        };
    }

    static Indexing of(String name, String value, int maxTableSize) {
        if (isAlwaysNever(name)) {
            return NEVER;
        }
        switch (name) {
            case "cookie":
                return value.length() < SHORT_COOKIE ? NEVER : fitting(name, value, maxTableSize);
            case "content-length",
                    "content-range",
                    "etag",
                    "last-modified",
                    "if-none-match",
                    "if-modified-since",
                    "age",
                    "location",
                    "x-request-id",
                    "traceparent":
                return SKIP;
            case ":path":
                return value.length() > LONG_PATH ? SKIP : fitting(name, value, maxTableSize);
            default:
                return fitting(name, value, maxTableSize);
        }
    }

    /** A field that would displace most of the others isn't worth it. */
    private static Indexing fitting(String name, String value, int maxTableSize) {
        return DynamicTable.entrySize(name, value) > maxTableSize - (maxTableSize >> 2) ? SKIP : ADD;
    }
}
