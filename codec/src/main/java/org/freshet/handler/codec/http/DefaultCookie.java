package org.freshet.handler.codec.http;

import java.util.Arrays;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * A cookie with the attributes of RFC 2109 and RFC 2965. Not thread-safe.
 *
 * @deprecated use {@link org.freshet.handler.codec.http.cookie.DefaultCookie}
 */
@Deprecated
public class DefaultCookie extends org.freshet.handler.codec.http.cookie.DefaultCookie implements Cookie {
    private static final int MAX_PORT = 65535;

    private int version;
    private String comment;
    private String commentUrl;
    private boolean discard;
    private Set<Integer> ports = Collections.emptySet();

    /** @throws IllegalArgumentException if the name is not a valid cookie name */
    public DefaultCookie(String name, String value) {
        super(name, value);
    }

    @Override
    @Deprecated
    public String getName() {
        return name();
    }

    @Override
    @Deprecated
    public String getValue() {
        return value();
    }

    @Override
    @Deprecated
    public String getDomain() {
        return domain();
    }

    @Override
    @Deprecated
    public String getPath() {
        return path();
    }

    @Override
    @Deprecated
    public int getMaxAge() {
        return maxAge();
    }

    @Override
    @Deprecated
    public int version() {
        return version;
    }

    @Override
    @Deprecated
    public int getVersion() {
        return version;
    }

    @Override
    @Deprecated
    public void setVersion(int version) {
        this.version = version;
    }

    @Override
    @Deprecated
    public String comment() {
        return comment;
    }

    @Override
    @Deprecated
    public String getComment() {
        return comment;
    }

    @Override
    @Deprecated
    public void setComment(String comment) {
        this.comment = validateValue("comment", comment);
    }

    @Override
    @Deprecated
    public String commentUrl() {
        return commentUrl;
    }

    @Override
    @Deprecated
    public String getCommentUrl() {
        return commentUrl;
    }

    @Override
    @Deprecated
    public void setCommentUrl(String commentUrl) {
        this.commentUrl = validateValue("commentUrl", commentUrl);
    }

    @Override
    @Deprecated
    public boolean isDiscard() {
        return discard;
    }

    @Override
    @Deprecated
    public void setDiscard(boolean discard) {
        this.discard = discard;
    }

    @Override
    @Deprecated
    public Set<Integer> ports() {
        return ports;
    }

    @Override
    @Deprecated
    public Set<Integer> getPorts() {
        return ports;
    }

    @Override
    @Deprecated
    public void setPorts(int... ports) {
        Objects.requireNonNull(ports, "ports");
        setPorts(Arrays.stream(ports).boxed().toList());
    }

    @Override
    @Deprecated
    public void setPorts(Iterable<Integer> ports) {
        Set<Integer> sorted = new TreeSet<>();
        for (int port : Objects.requireNonNull(ports, "ports")) {
            if (port < 1 || port > MAX_PORT) {
                throw new IllegalArgumentException("port is not in 1.." + MAX_PORT + ": " + port);
            }
            sorted.add(port);
        }
        this.ports = Collections.unmodifiableSet(sorted);
    }
}
