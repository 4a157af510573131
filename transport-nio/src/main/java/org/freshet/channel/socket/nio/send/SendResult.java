package org.freshet.channel.socket.nio.send;

/** What a send of queued messages ended with. */
public enum SendResult {
    /** Nothing is left. */
    DRAINED,
    /** The kernel takes no more now. */
    BLOCKED,
    /** The channel has made as many system calls as it may make in a row. */
    SHARE_USED
}
