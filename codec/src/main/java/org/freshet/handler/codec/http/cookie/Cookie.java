package org.freshet.handler.codec.http.cookie;

/**
 * A cookie: its name and value, and the attributes from {@code Set-Cookie}.
 *
 * <p>Two cookies are equal if their names (ignoring case), paths and domains are. Not thread-safe.
 */
public interface Cookie extends Comparable<Cookie> {
    // ---- name and value ----

    String name();

    /** The value without the quotes that may surround it on the wire, see {@link #wrap()}; never null. */
    String value();

    /**
     * Sets the value. It is not checked here, but by the encoders.
     *
     * @throws NullPointerException if the value is null
     */
    void setValue(String value);

    /** Whether the value is sent in double quotes. */
    boolean wrap();

    void setWrap(boolean wrap);

    // ---- where it is sent ----

    /** The domain; null if there is no such attribute, which means the host that set the cookie. */
    String domain();

    /**
     * @param domain surrounding blanks are removed; null or blank for none
     * @throws IllegalArgumentException if it contains a semicolon or a control character
     */
    void setDomain(String domain);

    /** The path; null if there is no such attribute, which means the directory of the request. */
    String path();

    /**
     * @param path surrounding blanks are removed; null or blank for none
     * @throws IllegalArgumentException if it contains a semicolon or a control character
     */
    void setPath(String path);

    /** Whether the cookie is sent over TLS only. */
    boolean isSecure();

    void setSecure(boolean secure);

    /** Whether the cookie is hidden from scripts. */
    boolean isHttpOnly();

    void setHttpOnly(boolean httpOnly);

    /** Null if there is no such attribute. */
    default SameSite sameSite() {
        return null;
    }

    /**
     * @param sameSite null for none
     * @throws UnsupportedOperationException if this implementation has no such attribute
     */
    default void setSameSite(SameSite sameSite) {
        throw new UnsupportedOperationException(getClass().getName() + " has no SameSite attribute");
    }

    /** Whether a browser keeps a separate cookie for each top-level site (CHIPS). */
    default boolean isPartitioned() {
        return false;
    }

    /** @throws UnsupportedOperationException if this implementation has no such attribute */
    default void setPartitioned(boolean partitioned) {
        throw new UnsupportedOperationException(getClass().getName() + " has no Partitioned attribute");
    }

    // ---- lifetime ----

    /**
     * The remaining lifetime in seconds. 0 or less removes the cookie; {@link Integer#MIN_VALUE} keeps it until the
     * browser exits.
     */
    int maxAge();

    void setMaxAge(int maxAgeSeconds);
}
