package org.freshet.handler.codec.http.cookie;

import java.time.Instant;

/**
 * Decodes a response's {@code Set-Cookie} header with the algorithm of RFC 6265 5.2. Any thread may call it.
 *
 * <p>If an attribute is repeated, the last one counts. Attributes that are unknown, too long or malformed are ignored.
 * {@code Max-Age} takes precedence over {@code Expires}. One comma at the end of a value is dropped, since commas once
 * separated cookies.
 */
public final class ClientCookieDecoder extends CookieDecoder {
    /** Accepts only the characters of RFC 6265 4.1.1. */
    public static final ClientCookieDecoder STRICT = new ClientCookieDecoder(true);

    /** Accepts in values any character that doesn't end a line or a cookie. */
    public static final ClientCookieDecoder LAX = new ClientCookieDecoder(false);

    /** RFC 6265bis 5.6: longer attribute values are ignored. */
    private static final int MAX_ATTRIBUTE_LENGTH = 1024;

    private ClientCookieDecoder(boolean strict) {
        super(strict);
    }

    /**
     * Returns the header's cookie, or null if the header contains no well-formed cookie.
     *
     * @throws NullPointerException if the header is null
     */
    public Cookie decode(String header) {
        CookiePairs pairs = new CookiePairs(header);
        pairs.advanceToFirst();
        pairs.trim();
        pairs.dropComma();
        int valueBegin = pairs.hasValue() ? pairs.valueBegin : -1;
        DefaultCookie cookie = initCookie(header, pairs.nameBegin, pairs.nameEnd, valueBegin, pairs.valueEnd);
        if (cookie != null) {
            readAttributes(pairs, cookie);
        }
        return cookie;
    }

    /** RFC 6265 5.2 gives quotes no special meaning. */
    @Override
    boolean keepsUnmatchedQuotes() {
        return !isStrict();
    }

    private static void readAttributes(CookiePairs pairs, DefaultCookie cookie) {
        Instant expires = null;
        while (pairs.advance()) {
            pairs.trim();
            pairs.dropComma();
            String value = pairs.value();
            if (value.length() > MAX_ATTRIBUTE_LENGTH) {
                continue;
            }
            if (pairs.nameIs(CookieHeaderNames.EXPIRES)) {
                Instant date = CookieDates.parse(value);
                expires = date == null ? expires : date;
            } else {
                readAttribute(pairs, value, cookie);
            }
        }
        if (expires != null && cookie.maxAge() == Integer.MIN_VALUE) {
            long seconds = expires.getEpochSecond() - Instant.now().getEpochSecond();
            cookie.setMaxAge((int) Math.max(0, Math.min(Integer.MAX_VALUE, seconds)));
        }
    }

    private static void readAttribute(CookiePairs pairs, String value, DefaultCookie cookie) {
        if (pairs.nameIs(CookieHeaderNames.PATH)) {
            cookie.setPath(printable(value));
        } else if (pairs.nameIs(CookieHeaderNames.DOMAIN)) {
            if (!value.isEmpty()) {
                cookie.setDomain(printable(value));
            }
        } else if (pairs.nameIs(CookieHeaderNames.MAX_AGE)) {
            readMaxAge(value, cookie);
        } else if (pairs.nameIs(CookieHeaderNames.SECURE)) {
            cookie.setSecure(true);
        } else if (pairs.nameIs(CookieHeaderNames.HTTPONLY)) {
            cookie.setHttpOnly(true);
        } else if (pairs.nameIs(CookieHeaderNames.SAMESITE)) {
            cookie.setSameSite(SameSite.of(value));
        } else if (pairs.nameIs(CookieHeaderNames.PARTITIONED)) {
            cookie.setPartitioned(true);
        }
    }

    /** Null, as if there were no attribute, if the value contains a control character. */
    private static String printable(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < 0x20 && c != '\t' || c == 0x7f) {
                return null;
            }
        }
        return value;
    }

    /** Accepts digits with an optional minus in front. A value too large for an int becomes the largest int. */
    private static void readMaxAge(String value, DefaultCookie cookie) {
        boolean negative = value.startsWith("-");
        long seconds = 0;
        for (int i = negative ? 1 : 0; i < value.length(); i++) {
            int digit = value.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return;
            }
            seconds = Math.min(seconds * 10 + digit, Integer.MAX_VALUE);
        }
        if (value.length() > (negative ? 1 : 0)) {
            cookie.setMaxAge(negative ? 0 : (int) seconds);
        }
    }
}
