package org.freshet.handler.codec.http.cookie;

/**
 * A cookie: its name and value, and what {@code Set-Cookie} says about it.
 *
 * <p>Two cookies are the same if name (without regard to case), path and domain are. Not thread-safe.
 */
public interface Cookie extends Comparable<Cookie> {
    // ---- name and value ----

    String name();

    /** Never null; without the quotes that may stand around it on the wire, see {@link #wrap()}. */
    String value();

    /**
     * Not checked here; the encoders do.
     *
     * @throws NullPointerException if the value is null
     */
    void setValue(String value);

    /** Whether the value stands in double quotes on the wire. */
    boolean wrap();

    void setWrap(boolean wrap);

    // ---- where it is sent ----

    /** Null if there is no such attribute: the host that set it. */
    String domain();

    /**
     * @param domain surrounding blanks are removed; null or blank for none
     * @throws IllegalArgumentException if it holds a semicolon or a control character
     */
    void setDomain(String domain);

    /** Null if there is no such attribute: the directory of the request. */
    String path();

    /**
     * @param path surrounding blanks are removed; null or blank for none
     * @throws IllegalArgumentException if it holds a semicolon or a control character
     */
    void setPath(String path);

    /** Whether it is sent through TLS only. */
    boolean isSecure();

    void setSecure(boolean secure);

    /** Whether scripts do not see it. */
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

    /** Whether a browser keeps it apart for each top-level site (CHIPS). */
    default boolean isPartitioned() {
        return false;
    }

    /** @throws UnsupportedOperationException if this implementation has no such attribute */
    default void setPartitioned(boolean partitioned) {
        throw new UnsupportedOperationException(getClass().getName() + " has no Partitioned attribute");
    }

    // ---- how long it lives ----

    /** Seconds that it lives from now on; 0 or less removes it, {@link Integer#MIN_VALUE} means until the browser ends. */
    int maxAge();

    void setMaxAge(int maxAgeSeconds);
}
