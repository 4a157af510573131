package org.freshet.channel.local;

import java.net.SocketAddress;
import java.util.Locale;

/**
 * The address of an end in the in-JVM transport: a name.
 *
 * <p>Names are compared without regard to case. Immutable.
 */
public final class LocalAddress extends SocketAddress implements Comparable<LocalAddress> {
    /** The name that requests a new unique name at bind. */
    public static final String EPHEMERAL = "ephemeral";

    private static final long serialVersionUID = 1L;

    private final String id;

    public LocalAddress(int id) {
        this(String.valueOf(id));
    }

    /**
     * @throws IllegalArgumentException if {@code id} is blank
     */
    public LocalAddress(String id) {
        this.id = id.trim().toLowerCase(Locale.ROOT);
        if (this.id.isEmpty()) {
            throw new IllegalArgumentException("id is blank");
        }
    }

    public String getId() {
        return id;
    }

    /** Whether this address requests a new unique name at bind. */
    public boolean isEphemeral() {
        return id.equals(EPHEMERAL);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    /** An ephemeral address is equal only to itself: it means a name that is not chosen yet. */
    @Override
    public boolean equals(Object o) {
        return o == this || (o instanceof LocalAddress that && !isEphemeral() && id.equals(that.id));
    }

    @Override
    public int compareTo(LocalAddress that) {
        return id.compareTo(that.id);
    }

    @Override
    public String toString() {
        return "local:" + id;
    }
}
