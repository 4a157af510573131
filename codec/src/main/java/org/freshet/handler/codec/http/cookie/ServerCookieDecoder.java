package org.freshet.handler.codec.http.cookie;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Decodes a request's {@code Cookie} header (RFC 6265 4.2). Any thread may call it.
 *
 * <p>A malformed cookie is skipped; the others are kept. The attributes of RFC 2965 ({@code $Version}, {@code $Path},
 * {@code $Domain}, {@code $Port}) are skipped. At most {@value #MAX_COOKIES} cookies are read from a header.
 */
public final class ServerCookieDecoder extends CookieDecoder {
    /** The number that browsers keep per domain; more than that is an attack or a mistake. */
    static final int MAX_COOKIES = 180;

    /** Accepts only the characters of RFC 6265 4.1.1. */
    public static final ServerCookieDecoder STRICT = new ServerCookieDecoder(true);

    /** Accepts in values any character that doesn't end a line or a cookie. */
    public static final ServerCookieDecoder LAX = new ServerCookieDecoder(false);

    private static final String[] RFC2965_NAMES = {"$Version", "$Path", "$Domain", "$Port"};

    private ServerCookieDecoder(boolean strict) {
        super(strict);
    }

    /**
     * Returns the header's cookies, sorted. If several have the same name, only the first is kept.
     *
     * @throws NullPointerException if the header is null
     */
    public Set<Cookie> decode(String header) {
        if (header.isEmpty()) {
            return Collections.emptySet();
        }
        Set<Cookie> cookies = new TreeSet<>();
        decode(header, cookies);
        return cookies;
    }

    /**
     * Returns all of the header's cookies in order, including those with the same name.
     *
     * @throws NullPointerException if the header is null
     */
    public List<Cookie> decodeAll(String header) {
        List<Cookie> cookies = new ArrayList<>();
        decode(header, cookies);
        return cookies;
    }

    private void decode(String header, Collection<Cookie> cookies) {
        CookiePairs pairs = new CookiePairs(header);
        for (int read = 0; read < MAX_COOKIES && pairs.advance(); read++) {
            if (header.charAt(pairs.nameBegin) == '$' && isOfRfc2965(pairs)) {
                continue;
            }
            int valueBegin = pairs.hasValue() ? pairs.valueBegin : -1;
            Cookie cookie = initCookie(header, pairs.nameBegin, pairs.nameEnd, valueBegin, pairs.valueEnd);
            if (cookie != null) {
                cookies.add(cookie);
            }
        }
    }

    private static boolean isOfRfc2965(CookiePairs pairs) {
        for (String name : RFC2965_NAMES) {
            if (pairs.nameIs(name)) {
                return true;
            }
        }
        return false;
    }
}
