package org.freshet.handler.codec.http.cookie;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Properties of the cookie decoders that hold for any input: no exception, no cookie that could not be sent back or
 * would change if it were, and no loss of cookies next to a malformed one.
 *
 * <p>The first byte of an input selects how the others are turned into characters, see {@link #fuzzerTestOneInput}.
 */
public final class CookieFuzz {
    private static final int BEYOND_LATIN_1 = 1;

    private CookieFuzz() {}

    /** Seed inputs. */
    public static List<byte[]> seeds() {
        List<byte[]> seeds = new ArrayList<>();
        for (String header : List.of(
                "a=b; c=\"d\"; e=",
                "$Version=1; a=b; $Path=/; $Domain=x; $Port=\"1\"",
                "a=\"b; c=d",
                "a=b, c=d",
                "a=x;\tHttpOnly",
                "=b; =; a; ;; \u00e9=\u00e9",
                "a=b; Path=/p; Domain=.x.y; Max-Age=10; Expires=Wed, 09 Jun 2021 10:18:14 GMT; Secure; HttpOnly",
                "__Host-a=b; Path=/; Secure; SameSite=None; Partitioned",
                "a=b; Max-Age=-1; Max-Age=99999999999999999999; expires=Sun Nov  6 08:49:37 1994",
                "a=b; expires=Sunday, 06-Nov-94 08:49:37 GMT; samesite=lax; path=\"/\"; domain=")) {
            seeds.add(("\0" + header).getBytes(ISO_8859_1));
            seeds.add(concatenated((byte) BEYOND_LATIN_1, header.getBytes(UTF_16BE)));
        }
        return seeds;
    }

    private static byte[] concatenated(byte first, byte[] rest) {
        byte[] all = new byte[1 + rest.length];
        all[0] = first;
        System.arraycopy(rest, 0, all, 1, rest.length);
        return all;
    }

    /** The name and signature that Jazzer requires. */
    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length == 0) {
            return;
        }
        boolean latin1 = (data[0] & BEYOND_LATIN_1) == 0;
        String header = new String(data, 1, data.length - 1, latin1 ? ISO_8859_1 : UTF_16BE);
        checkServer(header, ServerCookieDecoder.STRICT, ClientCookieEncoder.STRICT);
        checkServer(header, ServerCookieDecoder.LAX, ClientCookieEncoder.LAX);
        checkNeighbours(header);
        checkClient(header, ClientCookieDecoder.STRICT);
        checkClient(header, ClientCookieDecoder.LAX);
        checkLegacy(header);
    }

    private static void checkServer(String header, ServerCookieDecoder decoder, ClientCookieEncoder encoder) {
        List<Cookie> cookies = decoder.decodeAll(header);
        for (Cookie cookie : cookies) {
            checkText(cookie.name());
            checkText(cookie.value());
            List<Cookie> again = decoder.decodeAll(encoder.encode(cookie));
            require(again.size() == 1 && sameText(again.get(0), cookie), cookie + " is sent back as " + again);
        }
        Set<Cookie> sorted = decoder.decode(header);
        require(sorted.size() <= cookies.size() && cookies.containsAll(sorted), sorted + " of " + cookies);
    }

    private static void checkNeighbours(String header) {
        String alone = header.replace(';', ' ');
        List<Cookie> cookies = ServerCookieDecoder.STRICT.decodeAll("first=1; " + alone + "; last=2");
        int last = cookies.size() - 1;
        require(
                cookies.size() >= 2
                        && cookies.get(0).toString().equals("first=1")
                        && cookies.get(last).toString().equals("last=2"),
                "beside '" + alone + "': " + cookies);
    }

    private static void checkClient(String header, ClientCookieDecoder decoder) {
        Cookie cookie = decoder.decode(header);
        if (cookie == null) {
            return;
        }
        for (String text : new String[] {cookie.name(), cookie.value(), cookie.path(), cookie.domain()}) {
            checkText(text == null ? "" : text);
        }
        Cookie again = decoder.decode(ServerCookieEncoder.LAX.encode(cookie));
        require(again != null && sameText(again, cookie) && again.compareTo(cookie) == 0, cookie + " becomes " + again);
        require(
                again.isSecure() == cookie.isSecure()
                        && again.isHttpOnly() == cookie.isHttpOnly()
                        && again.isPartitioned() == cookie.isPartitioned()
                        && again.sameSite() == cookie.sameSite(),
                cookie + " becomes " + again);
    }

    @SuppressWarnings("deprecation")
    private static void checkLegacy(String header) {
        for (org.freshet.handler.codec.http.Cookie cookie :
                new org.freshet.handler.codec.http.CookieDecoder(true).decode(header)) {
            checkText(cookie.getName());
        }
        new org.freshet.handler.codec.http.CookieDecoder(false).decode(header);
    }

    private static boolean sameText(Cookie one, Cookie other) {
        return one.name().equals(other.name()) && one.value().equals(other.value()) && one.wrap() == other.wrap();
    }

    private static void checkText(String text) {
        require(text.indexOf('\r') < 0 && text.indexOf('\n') < 0 && text.indexOf(0) < 0, "a line's end in " + text);
        require(text.indexOf(';') < 0, "a semicolon in " + text);
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new AssertionError(otherwise);
        }
    }
}
