package org.freshet.handler.codec.http.cookie;

import static org.freshet.handler.codec.http.cookie.CookieHeaderNames.DOMAIN;
import static org.freshet.handler.codec.http.cookie.CookieHeaderNames.EXPIRES;
import static org.freshet.handler.codec.http.cookie.CookieHeaderNames.HTTPONLY;
import static org.freshet.handler.codec.http.cookie.CookieHeaderNames.MAX_AGE;
import static org.freshet.handler.codec.http.cookie.CookieHeaderNames.PARTITIONED;
import static org.freshet.handler.codec.http.cookie.CookieHeaderNames.PATH;
import static org.freshet.handler.codec.http.cookie.CookieHeaderNames.SAMESITE;
import static org.freshet.handler.codec.http.cookie.CookieHeaderNames.SECURE;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.freshet.handler.codec.http.internal.HttpDates;

/**
 * Encodes each cookie into its own {@code Set-Cookie} header (RFC 6265 4.1), in order. Any thread may call it.
 *
 * <p>The strict encoder also refuses cookies that browsers would silently drop: {@code __Host-} and {@code __Secure-}
 * names without the attributes these require, and {@code SameSite=None} or {@code Partitioned} without {@code Secure}.
 */
public final class ServerCookieEncoder extends CookieEncoder {
    /** Refuses anything that RFC 6265 4.1.1 does not allow, and cookies that browsers would drop. */
    public static final ServerCookieEncoder STRICT = new ServerCookieEncoder(true);

    /** Refuses only characters that would end the header's line. */
    public static final ServerCookieEncoder LAX = new ServerCookieEncoder(false);

    private ServerCookieEncoder(boolean strict) {
        super(strict);
    }

    /** Encodes a cookie with this name and value; see {@link #encode(Cookie)}. */
    public String encode(String name, String value) {
        return encode(new DefaultCookie(name, value));
    }

    /** @throws IllegalArgumentException if the cookie is malformed, or (strict only) browsers would drop it */
    public String encode(Cookie cookie) {
        Objects.requireNonNull(cookie, "cookie");
        if (isStrict()) {
            refuseWhatBrowsersDrop(cookie);
        }
        StringBuilder header = new StringBuilder();
        appendPair(header, cookie);
        if (cookie.maxAge() != Integer.MIN_VALUE) {
            append(header, MAX_AGE, Integer.toString(cookie.maxAge()));
            append(header, EXPIRES, HttpDates.format(System.currentTimeMillis() + cookie.maxAge() * 1000L));
        }
        append(header, PATH, cookie.path());
        append(header, DOMAIN, cookie.domain());
        appendFlag(header, SECURE, cookie.isSecure());
        appendFlag(header, HTTPONLY, cookie.isHttpOnly());
        append(
                header,
                SAMESITE,
                cookie.sameSite() == null ? null : cookie.sameSite().attributeValue());
        appendFlag(header, PARTITIONED, cookie.isPartitioned());
        return header.toString();
    }

    /** Returns one header per cookie; see {@link #encode(Cookie)}. */
    public List<String> encode(Cookie... cookies) {
        return encode(Arrays.asList(Objects.requireNonNull(cookies, "cookies")));
    }

    /** Returns one header per cookie; see {@link #encode(Cookie)}. */
    public List<String> encode(Collection<? extends Cookie> cookies) {
        return encode((Iterable<? extends Cookie>) cookies);
    }

    /** Returns one header per cookie; see {@link #encode(Cookie)}. */
    public List<String> encode(Iterable<? extends Cookie> cookies) {
        List<String> headers = new ArrayList<>();
        for (Cookie cookie : Objects.requireNonNull(cookies, "cookies")) {
            headers.add(encode(cookie));
        }
        return headers;
    }

    private static void append(StringBuilder header, String name, String value) {
        if (value != null) {
            header.append("; ").append(name).append('=').append(CookieSyntax.checkAttribute(name, value));
        }
    }

    private static void appendFlag(StringBuilder header, String name, boolean on) {
        if (on) {
            header.append("; ").append(name);
        }
    }

    /** See RFC 6265bis 4.1.3 and 5.7. */
    private static void refuseWhatBrowsersDrop(Cookie cookie) {
        boolean host = CookieSyntax.isHostPrefixed(cookie.name());
        if (host && (!"/".equals(cookie.path()) || cookie.domain() != null)) {
            throw new IllegalArgumentException(
                    cookie.name() + " begins with __Host-, so it needs the path / and must have no domain");
        }
        boolean needsSecure = host
                || CookieSyntax.isSecurePrefixed(cookie.name())
                || cookie.sameSite() == SameSite.NONE
                || cookie.isPartitioned();
        if (needsSecure && !cookie.isSecure()) {
            throw new IllegalArgumentException(cookie.name()
                    + " begins with __Secure- or __Host-, or is SameSite=None or Partitioned,"
                    + " so it needs setSecure(true)");
        }
    }
}
