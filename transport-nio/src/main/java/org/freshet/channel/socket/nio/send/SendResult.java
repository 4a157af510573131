package org.freshet.channel.socket.nio.send;

/** The outcome of sending queued messages. */
public enum SendResult {
    /** The queue is empty. */
    DRAINED,
    /** The kernel accepts no more for now. */
    BLOCKED,
    /** The channel has made as many system calls as it may in a row. */
    SHARE_USED
}
