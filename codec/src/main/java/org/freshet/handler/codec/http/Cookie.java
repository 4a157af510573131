package org.freshet.handler.codec.http;

import java.util.Set;

/**
 * A cookie with the attributes of RFC 2109 and RFC 2965. Browsers never sent those, and RFC 6265 removed them.
 *
 * @deprecated use {@link org.freshet.handler.codec.http.cookie.Cookie}
 */
@Deprecated
public interface Cookie extends org.freshet.handler.codec.http.cookie.Cookie {
    // ---- older names for what the new interface has ----

    /** @deprecated use {@link #name()} */
    @Deprecated
    String getName();

    /** @deprecated use {@link #value()} */
    @Deprecated
    String getValue();

    /** @deprecated use {@link #domain()} */
    @Deprecated
    String getDomain();

    /** @deprecated use {@link #path()} */
    @Deprecated
    String getPath();

    /** @deprecated use {@link #maxAge()} */
    @Deprecated
    int getMaxAge();

    @Override
    int maxAge();

    @Override
    void setMaxAge(int maxAgeSeconds);

    // ---- attributes that no longer exist ----

    /** 0 by default. */
    @Deprecated
    int version();

    @Deprecated
    int getVersion();

    @Deprecated
    void setVersion(int version);

    /** Null by default. */
    @Deprecated
    String comment();

    @Deprecated
    String getComment();

    /** @throws IllegalArgumentException if it contains a semicolon or a control character */
    @Deprecated
    void setComment(String comment);

    /** Null by default. */
    @Deprecated
    String commentUrl();

    @Deprecated
    String getCommentUrl();

    /** @throws IllegalArgumentException if it contains a semicolon or a control character */
    @Deprecated
    void setCommentUrl(String commentUrl);

    @Deprecated
    boolean isDiscard();

    @Deprecated
    void setDiscard(boolean discard);

    /** The ports that the cookie is sent to, in ascending order, unmodifiable. Empty (the default) means all ports. */
    @Deprecated
    Set<Integer> ports();

    @Deprecated
    Set<Integer> getPorts();

    /** @throws IllegalArgumentException if a port is not in 1..65535 */
    @Deprecated
    void setPorts(int... ports);

    /** @throws IllegalArgumentException if a port is not in 1..65535 */
    @Deprecated
    void setPorts(Iterable<Integer> ports);
}
