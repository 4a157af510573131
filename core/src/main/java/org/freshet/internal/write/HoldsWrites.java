package org.freshet.internal.write;

/** A handler that holds writes made during an upstream event, to send them together at the end of the event. */
public interface HoldsWrites {
    /** Sends the held writes now, because a handler above waits for them. Called on the channel's I/O thread. */
    void releaseWrites();
}
