package org.freshet.handler.codec.http.cookie;

/** Attributes of {@code Set-Cookie}, spelled as the encoder writes them; they are compared without regard to case. */
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
