package org.freshet.internal;

/**
 * A handler that keeps messages on their way to the transport, which does not know of them. Before it keeps one it asks {@code WriteLimit};
 * the transport then takes what comes out of the handler without asking again.
 */
public interface HoldsBytes {
    /** Bytes of memory that messages for this channel hold in the handler. Any thread. */
    long heldBytes(Object channel);
}
