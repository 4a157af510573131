package org.freshet.handler.codec.http.cookie;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Decodes the {@code Cookie} header of a request (RFC 6265 4.2). Any thread.
 *
 * <p>A cookie that is malformed is left out, alone. The attributes of RFC 2965 ({@code $Version}, {@code $Path},
 * {@code $Domain}, {@code $Port}) are skipped. At most {@value #MAX_COOKIES} cookies of a header are read.
 */
public final class ServerCookieDecoder extends CookieDecoder {
    /** What browsers keep for a domain; more than that is an attack or a mistake. */
    static final int MAX_COOKIES = 180;

    /** Accepts the characters of RFC 6265 4.1.1 only. */
    public static final ServerCookieDecoder STRICT = new ServerCookieDecoder(true);

    /** Accepts in values whatever is no end of a line or a cookie. */
    public static final ServerCookieDecoder LAX = new ServerCookieDecoder(false);

    private static final String[] RFC2965_NAMES = {"$Version", "$Path", "$Domain", "$Port"};

    private ServerCookieDecoder(boolean strict) {
        super(strict);
    }

    /**
     * The header's cookies, sorted; of several of the same name the first.
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
     * All of the header's cookies in their order, those of the same name, too.
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
