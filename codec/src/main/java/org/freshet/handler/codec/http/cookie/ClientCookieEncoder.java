package org.freshet.handler.codec.http.cookie;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Objects;

/** Encodes cookies into one {@code Cookie} header (RFC 6265 4.2), in the given order. Any thread may call it. */
public final class ClientCookieEncoder extends CookieEncoder {
    /** Refuses anything that RFC 6265 4.1.1 does not allow. */
    public static final ClientCookieEncoder STRICT = new ClientCookieEncoder(true);

    /** Refuses only characters that would end the header's line. */
    public static final ClientCookieEncoder LAX = new ClientCookieEncoder(false);

    private ClientCookieEncoder(boolean strict) {
        super(strict);
    }

    /** Encodes a single cookie with this name and value; see {@link #encode(Cookie)}. */
    public String encode(String name, String value) {
        return encode(new DefaultCookie(name, value));
    }

    /** @throws IllegalArgumentException if the cookie is malformed */
    public String encode(Cookie cookie) {
        StringBuilder header = new StringBuilder();
        appendPair(header, Objects.requireNonNull(cookie, "cookie"));
        return header.toString();
    }

    /**
     * @param cookies encoded up to the first null
     * @return null if there are no cookies
     * @throws IllegalArgumentException if a cookie is malformed
     */
    public String encode(Cookie... cookies) {
        return encode(Arrays.asList(Objects.requireNonNull(cookies, "cookies")));
    }

    /**
     * @param cookies encoded up to the first null
     * @return null if there are no cookies
     * @throws IllegalArgumentException if a cookie is malformed
     */
    public String encode(Iterable<? extends Cookie> cookies) {
        StringBuilder header = new StringBuilder();
        Iterator<? extends Cookie> iterator =
                Objects.requireNonNull(cookies, "cookies").iterator();
        while (iterator.hasNext()) {
            Cookie cookie = iterator.next();
            if (cookie == null) {
                break;
            }
            header.append(header.length() == 0 ? "" : "; ");
            appendPair(header, cookie);
        }
        return header.length() == 0 ? null : header.toString();
    }
}
