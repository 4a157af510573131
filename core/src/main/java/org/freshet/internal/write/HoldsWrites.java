package org.freshet.internal.write;

/** A handler that holds back what is written during an upstream event, to send it together at the end of the event. */
public interface HoldsWrites {
    /** Sends on what is held back now, for a handler above waits for it. Called on the channel's I/O thread. */
    void releaseWrites();
}
