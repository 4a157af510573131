package org.freshet.handler.codec.rtsp;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/** The RTSP methods (RFC 2326 10). */
public final class RtspMethods {
    // ---- descriptions and parameters ----

    public static final HttpMethod OPTIONS = HttpMethod.OPTIONS;
    public static final HttpMethod DESCRIBE = new HttpMethod("DESCRIBE");
    public static final HttpMethod ANNOUNCE = new HttpMethod("ANNOUNCE");
    public static final HttpMethod GET_PARAMETER = new HttpMethod("GET_PARAMETER");
    public static final HttpMethod SET_PARAMETER = new HttpMethod("SET_PARAMETER");

    // ---- the session ----

    public static final HttpMethod SETUP = new HttpMethod("SETUP");
    public static final HttpMethod PLAY = new HttpMethod("PLAY");
    public static final HttpMethod PAUSE = new HttpMethod("PAUSE");
    public static final HttpMethod RECORD = new HttpMethod("RECORD");
    public static final HttpMethod TEARDOWN = new HttpMethod("TEARDOWN");
    public static final HttpMethod REDIRECT = new HttpMethod("REDIRECT");

    private static final Map<String, HttpMethod> KNOWN = new HashMap<>();

    static {
        HttpMethod[] known = {
            OPTIONS, DESCRIBE, ANNOUNCE, GET_PARAMETER, SET_PARAMETER, SETUP, PLAY, PAUSE, RECORD, TEARDOWN, REDIRECT
        };
        for (HttpMethod method : known) {
            KNOWN.put(method.getName(), method);
        }
    }

    private RtspMethods() {}

    /**
     * Returns the constant with that name, ignoring case; otherwise a method with exactly that name.
     *
     * @param name surrounding whitespace is removed
     * @throws IllegalArgumentException if the name is empty or not a token
     */
    public static HttpMethod valueOf(String name) {
        if (name == null) {
            throw new NullPointerException("name");
        }
        String trimmed = HeaderSyntax.withoutBlanks(name);
        HttpMethod known = KNOWN.get(trimmed.toUpperCase(Locale.ROOT));
        return known != null ? known : HttpMethod.valueOf(trimmed);
    }
}
