package org.freshet.handler.codec.http2.hpack;

import java.nio.charset.StandardCharsets;

/**
 * Common field names as constants. A literal name is looked up by its octets, so a common one costs no new String. Immutable;
 * any thread.
 */
final class FieldNames {
    private static final String[] COMMON = {
        "accept-ch",
        "access-control-allow-credentials",
        "access-control-allow-headers",
        "access-control-allow-methods",
        "access-control-expose-headers",
        "access-control-max-age",
        "access-control-request-headers",
        "access-control-request-method",
        "alt-svc",
        "content-security-policy",
        "cross-origin-opener-policy",
        "cross-origin-resource-policy",
        "dnt",
        "early-data",
        "forwarded",
        "origin",
        "permissions-policy",
        "pragma",
        "priority",
        "purpose",
        "referrer-policy",
        "sec-ch-ua",
        "sec-ch-ua-mobile",
        "sec-ch-ua-platform",
        "sec-fetch-dest",
        "sec-fetch-mode",
        "sec-fetch-site",
        "sec-fetch-user",
        "server-timing",
        "te",
        "timing-allow-origin",
        "trailer",
        "traceparent",
        "tracestate",
        "upgrade-insecure-requests",
        "x-content-type-options",
        "x-forwarded-for",
        "x-forwarded-host",
        "x-forwarded-proto",
        "x-frame-options",
        "x-request-id",
        "x-requested-with",
        "x-xss-protection"
    };

    private static final int SLOTS = 512;
    private static final String[] BY_HASH = new String[SLOTS];

    static {
        for (int number = 1; number <= StaticTable.LENGTH; number++) {
            put(StaticTable.name(number));
        }
        for (String name : COMMON) {
            put(name);
        }
    }

    private FieldNames() {}

    private static void put(String name) {
        byte[] octets = name.getBytes(StandardCharsets.ISO_8859_1);
        int slot = hash(octets, 0, octets.length);
        while (BY_HASH[slot] != null && !BY_HASH[slot].equals(name)) {
            slot = slot + 1 & SLOTS - 1;
        }
        BY_HASH[slot] = name;
    }

    /** Returns the constant for a common name, else a new String. */
    static String of(byte[] octets, int from, int to) {
        if (to == from) {
            return "";
        }
        for (int slot = hash(octets, from, to); BY_HASH[slot] != null; slot = slot + 1 & SLOTS - 1) {
            if (equals(BY_HASH[slot], octets, from, to)) {
                return BY_HASH[slot];
            }
        }
        return new String(octets, from, to - from, StandardCharsets.ISO_8859_1);
    }

    private static int hash(byte[] octets, int from, int to) {
        int length = to - from;
        int mixed = octets[from] * 31 + octets[from + (length >> 1)] * 1009 + octets[to - 1] * 7 + length * 131;
        return (mixed ^ mixed >>> 7) & SLOTS - 1;
    }

    private static boolean equals(String name, byte[] octets, int from, int to) {
        if (name.length() != to - from) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) != octets[from + i]) {
                return false;
            }
        }
        return true;
    }
}
