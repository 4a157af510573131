package org.freshet.internal;

/**
 * A handler that holds messages on their way down until the handlers and the transport below can take them, for example during a handshake.
 * The held bytes count for the channel's water marks. A handler with its own marks, such as a traffic shaper, charges the account but
 * doesn't implement this.
 */
public interface HoldsOutput {
    /** Returns the bytes that the handler currently holds and has charged to the channel's account. Any thread may call this. */
    long heldBytes(Object channel);
}
