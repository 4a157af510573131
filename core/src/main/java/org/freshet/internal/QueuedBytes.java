package org.freshet.internal;

/** A channel that tells how many bytes wait in it to be sent. */
public interface QueuedBytes {
    /** Bytes of memory that messages hold in the transport. Any thread. */
    long queuedBytes();
}
