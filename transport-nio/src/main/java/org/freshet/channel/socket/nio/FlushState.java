package org.freshet.channel.socket.nio;

/** Determines what happens to the next message that is written to a channel. {@link Flusher} alone changes it. */
enum FlushState {
    /** The channel has not fired channelOpen: everything waits. */
    HELD,
    /** Nothing is queued, and nothing is under way. */
    IDLE,
    /** The channel is being read; what is written meanwhile is sent when the read ends. */
    READING,
    /** Flushes at the end of the loop's turn. */
    SCHEDULED,
    /** Messages are being sent; what their listeners write joins them. */
    FLUSHING,
    /** The kernel takes no more; the selector reports when it does. */
    BLOCKED,
    /** The peer has reset the connection: writes are refused, and what had arrived is read. */
    BROKEN,
    /** Messages are being sent, and a close was asked for. */
    FLUSHING_LAST,
    /** A close was asked for: writes are refused, and what is queued is sent once more, as far as that goes. */
    CLOSING,
    /** Writes are refused, and no event is fired any more. */
    CLOSED;

    /** Whether a close was asked for or done. */
    boolean isClosing() {
        return compareTo(FLUSHING_LAST) >= 0;
    }

    boolean refusesWrites() {
        return this == BROKEN || isClosing();
    }

    boolean isFlushing() {
        return this == FLUSHING || this == FLUSHING_LAST;
    }

    /** Whether the state says when the messages are sent, rather than that they must wait. */
    boolean maySend() {
        return this == IDLE || this == READING || this == SCHEDULED;
    }
}
