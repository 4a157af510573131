package org.freshet.handler.codec.http;

import java.util.ArrayList;
import java.util.List;
import org.freshet.handler.codec.http.cookie.ClientCookieEncoder;
import org.freshet.handler.codec.http.cookie.ServerCookieEncoder;

/**
 * Collects cookies and encodes them: a client's into one {@code Cookie} header, a server's single cookie into
 * {@code Set-Cookie}. Not thread-safe.
 *
 * @deprecated use {@link ClientCookieEncoder} or {@link ServerCookieEncoder}
 */
@Deprecated
public class CookieEncoder {
    private final boolean server;
    private final boolean strict;
    private final List<Cookie> cookies = new ArrayList<>();

    /** A lax encoder. */
    public CookieEncoder(boolean server) {
        this(server, false);
    }

    /** @param strict whether names and values must conform to RFC 6265; the attributes of RFC 2965 are never written */
    public CookieEncoder(boolean server, boolean strict) {
        this.server = server;
        this.strict = strict;
    }

    /** @throws IllegalArgumentException if the name is not a valid cookie name */
    public void addCookie(String name, String value) {
        addCookie(new DefaultCookie(name, value));
    }

    public void addCookie(Cookie cookie) {
        cookies.add(cookie);
    }

    /**
     * Encodes the cookies added since the last call.
     *
     * @return null if nothing was added to a client's encoder
     * @throws IllegalStateException if a server's encoder was not given exactly one cookie
     * @throws IllegalArgumentException if a cookie is malformed
     */
    public String encode() {
        if (server && cookies.size() != 1) {
            throw new IllegalStateException("a server's encoder encodes one cookie at a time, but has " + cookies.size()
                    + ": call encode() after each");
        }
        List<Cookie> added = List.copyOf(cookies);
        cookies.clear();
        if (server) {
            return (strict ? ServerCookieEncoder.STRICT : ServerCookieEncoder.LAX).encode(added.get(0));
        }
        return (strict ? ClientCookieEncoder.STRICT : ClientCookieEncoder.LAX).encode(added);
    }
}
