package org.freshet.handler.codec.http.cookie;

/** Names of {@code Set-Cookie} attributes, spelled as the encoder writes them. They are compared ignoring case. */
public final class CookieHeaderNames {
    public static final String PATH = "Path";
    public static final String DOMAIN = "Domain";

    public static final String EXPIRES = "Expires";
    public static final String MAX_AGE = "Max-Age";

    public static final String SECURE = "Secure";
    public static final String HTTPONLY = "HTTPOnly";
    public static final String SAMESITE = "SameSite";
    public static final String PARTITIONED = "Partitioned";

    private CookieHeaderNames() {}
}
