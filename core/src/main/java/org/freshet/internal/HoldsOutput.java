package org.freshet.internal;

/**
 * A handler that holds messages on their way down until what is below it can take them, such as while a handshake lasts. What it holds
 * counts for the channel's water marks. A handler with marks of its own, such as a traffic shaper, charges the account and is none of these.
 */
public interface HoldsOutput {
    /** What the handler has charged to the channel's account and holds now, in bytes. Any thread may call. */
    long heldBytes(Object channel);
}
