package org.freshet.handler.codec.http.cookie;

import org.freshet.handler.codec.http.internal.HeaderSyntax;

/** Defines which characters are allowed in cookies (RFC 6265 4.1.1). Stateless; any thread. */
final class CookieSyntax {
    private static final boolean[] COOKIE_OCTETS = new boolean[0x7f];

    static {
        for (char c = '!'; c < COOKIE_OCTETS.length; c++) {
            COOKIE_OCTETS[c] = "\",;\\".indexOf(c) < 0;
        }
    }

    private CookieSyntax() {}

    /** The index of the first character that is not a cookie-octet, or -1. */
    static int firstBadInValue(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (!isCookieOctet(text.charAt(i))) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isCookieOctet(char c) {
        return c < COOKIE_OCTETS.length && COOKIE_OCTETS[c];
    }

    /** The index of the first character that is not a tchar, or -1. */
    static int firstBadInName(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (!HeaderSyntax.isTokenChar(text.charAt(i))) {
                return i;
            }
        }
        return -1;
    }

    /** Whether the text contains no character that would end the header's line. */
    static boolean fitsIntoLine(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c == '\r' || c == '\n' || c == 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether a cookie may have this name: ASCII without blanks, controls and separators, not starting with {@code $}.
     */
    static boolean isName(String text, int from, int to) {
        return from < to && text.charAt(from) != '$' && firstOutsideNames(text, from, to) < 0;
    }

    /** Whether this is a cookie name that consists of token characters only. */
    static boolean isStrictName(String text, int from, int to) {
        return from < to && text.charAt(from) != '$' && firstBadInName(text, from, to) < 0;
    }

    private static int firstOutsideNames(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c <= 0x20 || c >= 0x7f || c == '=' || c == ',' || c == ';') {
                return i;
            }
        }
        return -1;
    }

    /** Whether browsers treat the name as protected, which they do regardless of case (RFC 6265bis 5.7). */
    static boolean isPrefixed(String name) {
        return isHostPrefixed(name) || isSecurePrefixed(name);
    }

    static boolean isHostPrefixed(String name) {
        return name.regionMatches(true, 0, "__Host-", 0, 7);
    }

    static boolean isSecurePrefixed(String name) {
        return name.regionMatches(true, 0, "__Secure-", 0, 9);
    }

    /** @return the name without surrounding blanks */
    static String checkName(String name) {
        if (name == null) {
            throw new NullPointerException("name");
        }
        String trimmed = name.trim();
        if (trimmed.isEmpty()) {
            throw new IllegalArgumentException("a cookie's name is empty");
        }
        if (trimmed.charAt(0) == '$') {
            throw new IllegalArgumentException(
                    "a cookie's name must not begin with '$': " + HeaderSyntax.printable(trimmed));
        }
        int bad = firstOutsideNames(trimmed, 0, trimmed.length());
        if (bad >= 0) {
            throw new IllegalArgumentException(
                    "a cookie's name must be ASCII without blanks, controls, '=', ',' and ';'; index " + bad + " of "
                            + HeaderSyntax.printable(trimmed));
        }
        return trimmed;
    }

    /** @return the attribute without surrounding blanks, or null if nothing is left */
    static String checkAttribute(String name, String value) {
        String trimmed = value == null ? "" : value.trim();
        for (int i = 0; i < trimmed.length(); i++) {
            char c = trimmed.charAt(i);
            if (c < 0x20 && c != '\t' || c == 0x7f || c == ';') {
                throw new IllegalArgumentException("a cookie's " + name + " must not contain ';' or controls; index "
                        + i + " of " + HeaderSyntax.printable(trimmed));
            }
        }
        return trimmed.isEmpty() ? null : trimmed;
    }
}
