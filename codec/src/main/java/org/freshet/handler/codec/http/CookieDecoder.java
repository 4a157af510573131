package org.freshet.handler.codec.http;

import java.util.Collections;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.freshet.handler.codec.http.cookie.CookieHeaderNames;

/**
 * Decodes both {@code Cookie} and {@code Set-Cookie} headers, with the attributes of RFC 2109 and RFC 2965. Any thread
 * may call it.
 *
 * <p>An attribute belongs to the cookie before it. A malformed cookie or attribute is skipped; the others are kept. The
 * comment needs version 1 or higher. The ports, the comment's URL and {@code Discard} need version 2.
 *
 * @deprecated use {@link org.freshet.handler.codec.http.cookie.ServerCookieDecoder} or
 *     {@link org.freshet.handler.codec.http.cookie.ClientCookieDecoder}
 */
@Deprecated
public class CookieDecoder {
    private final boolean strict;

    /** A lax decoder. */
    public CookieDecoder() {
        this(false);
    }

    /** @param strict whether names and values must conform to RFC 6265 */
    public CookieDecoder(boolean strict) {
        this.strict = strict;
    }

    /**
     * Returns the cookies, sorted. If several have the same name, path and domain, only the first is kept.
     *
     * @throws NullPointerException if the header is null
     */
    public Set<Cookie> decode(String header) {
        LegacyCookiePairs pairs = new LegacyCookiePairs(header);
        boolean any = pairs.advance();
        int version = 0;
        if (any && pairs.name().equalsIgnoreCase("Version")) {
            version = number(pairs.value(), 0);
            any = pairs.advance();
        }
        if (!any) {
            return Collections.emptySet();
        }
        Set<Cookie> cookies = new TreeSet<>();
        while (any) {
            Attributes attributes = new Attributes(version);
            DefaultCookie cookie = cookieOf(pairs.name(), pairs.value());
            any = pairs.advance();
            while (any && attributes.take(pairs.name(), pairs.value())) {
                any = pairs.advance();
            }
            if (cookie != null) {
                attributes.applyTo(cookie);
                cookies.add(cookie);
            }
        }
        return cookies;
    }

    /** Null if the cookie is malformed. */
    private DefaultCookie cookieOf(String name, String value) {
        try {
            DefaultCookie cookie = new DefaultCookie(name, value);
            if (strict) {
                org.freshet.handler.codec.http.cookie.ClientCookieEncoder.STRICT.encode(cookie);
            }
            return cookie;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** The number, or {@code otherwise} if the text is not a number. */
    private static int number(String value, int otherwise) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }

    /** The attributes of one cookie. The version, which decides which of them count, may come last. */
    private static final class Attributes {
        private int version;
        private int maxAgeSeconds = Integer.MIN_VALUE;
        private boolean secure;
        private boolean httpOnly;
        private boolean discard;
        private String path;
        private String domain;
        private String comment;
        private String commentUrl;
        private Set<Integer> ports = Set.of();

        Attributes(int version) {
            this.version = version;
        }

        /** Returns false if this is not an attribute but the next cookie. */
        boolean take(String name, String value) {
            switch (name.toLowerCase(Locale.ROOT)) {
                case "path" -> path = value;
                case "domain" -> domain = value;
                case "expires" -> maxAgeSeconds = secondsUntil(value);
                case "max-age" -> maxAgeSeconds = number(value, maxAgeSeconds);
                case "secure" -> secure = true;
                case "httponly" -> httpOnly = true;
                case "discard" -> discard = true;
                case "version" -> version = number(value, version);
                case "comment" -> comment = value;
                case "commenturl" -> commentUrl = value;
                case "port" -> ports = portsOf(value);
                default -> {
                    return false;
                }
            }
            return true;
        }

        private int secondsUntil(String date) {
            org.freshet.handler.codec.http.cookie.Cookie read =
                    org.freshet.handler.codec.http.cookie.ClientCookieDecoder.LAX.decode(
                            "x=; " + CookieHeaderNames.EXPIRES + '=' + date);
            return read.maxAge() == Integer.MIN_VALUE ? maxAgeSeconds : read.maxAge();
        }

        private static Set<Integer> portsOf(String list) {
            Set<Integer> ports = new TreeSet<>();
            for (String port : list.split(",")) {
                int number = number(port.trim(), 0);
                if (number > 0 && number <= 65535) {
                    ports.add(number);
                }
            }
            return ports;
        }

        void applyTo(DefaultCookie cookie) {
            cookie.setVersion(version);
            cookie.setMaxAge(maxAgeSeconds);
            cookie.setSecure(secure);
            cookie.setHttpOnly(httpOnly);
            cookie.setPath(allowed(path));
            cookie.setDomain(allowed(domain));
            if (version > 0) {
                cookie.setComment(allowed(comment));
            }
            if (version > 1) {
                cookie.setCommentUrl(allowed(commentUrl));
                cookie.setDiscard(discard);
                cookie.setPorts(ports);
            }
        }

        /** Null if the text is not allowed in a cookie's attribute. */
        private static String allowed(String text) {
            return text == null || text.chars().anyMatch(c -> c < 0x20 && c != '\t' || c == 0x7f || c == ';')
                    ? null
                    : text;
        }
    }
}
