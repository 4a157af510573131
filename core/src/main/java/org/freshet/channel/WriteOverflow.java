package org.freshet.channel;

/**
 * What happens to a write that would take the waiting bytes of a channel above {@link ChannelOption#WRITE_BUFFER_LIMIT}.
 *
 * <p>With every policy, a single message of any size is accepted while nothing else waits.
 */
public enum WriteOverflow {
    /** The channel closes with {@link CloseReason.Kind#OVERFLOW}; this write and the waiting ones fail. */
    CLOSE,

    /**
     * The write fails with {@link WriteOverflowException} and the channel stays open. Only for protocols in which each write is a whole
     * message that the peer can do without; in any other stream, the peer could not make sense of what follows. Over HTTP/1, WebSocket and
     * STOMP, the channel closes if an answer or a part of a message is refused; a request or frame that was written whole only fails.
     */
    FAIL,

    /**
     * The writing thread waits until there is room or the channel closes. An I/O thread never waits, because it would wait for itself or
     * delay other channels: there the channel closes as with {@link #CLOSE}. A timer's thread does wait, and delays the timer's other
     * tasks. Also set {@link ChannelOption#WRITE_STALL_TIMEOUT_MILLIS}; otherwise a peer that reads nothing can block the thread
     * indefinitely.
     */
    BLOCK
}
