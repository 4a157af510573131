package org.freshet.channel.socket.nio;

/** Determines what happens to the next message that is written to a channel. {@link Flusher} alone changes it. */
enum FlushState {
    /** The channel has not fired channelOpen yet: everything waits. */
    HELD,
    /** Nothing is queued, and nothing is in progress. */
    IDLE,
    /** The channel is being read; messages written in the meantime are sent when the read ends. */
    READING,
    /** Flushes at the end of the loop's turn. */
    SCHEDULED,
    /** Messages are being sent; messages written by their listeners join them. */
    FLUSHING,
    /** The kernel accepts no more; the selector will report when it does. */
    BLOCKED,
    /** The peer has reset the connection: writes are refused, and data that had arrived is still read. */
    BROKEN,
    /** Messages are being sent, and a close was requested. */
    FLUSHING_LAST,
    /** A close was requested: writes are refused, and one last attempt is made to send queued messages. */
    CLOSING,
    /** Writes are refused, and no more events are fired. */
    CLOSED;

    /** Returns whether a close was requested or done. */
    boolean isClosing() {
        return compareTo(FLUSHING_LAST) >= 0;
    }

    boolean refusesWrites() {
        return this == BROKEN || isClosing();
    }

    boolean isFlushing() {
        return this == FLUSHING || this == FLUSHING_LAST;
    }

    /** Returns whether queued messages will be sent soon, rather than having to wait. */
    boolean maySend() {
        return this == IDLE || this == READING || this == SCHEDULED;
    }
}
