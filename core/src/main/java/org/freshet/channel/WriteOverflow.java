package org.freshet.channel;

/**
 * What happens to a write that would take the bytes that wait on a channel above {@link ChannelOption#WRITE_BUFFER_LIMIT}.
 *
 * <p>Under each policy, one message is taken whatever its size while nothing else waits.
 */
public enum WriteOverflow {
    /** The channel closes with {@link CloseReason.Kind#OVERFLOW}; the write and those that wait fail. */
    CLOSE,

    /**
     * The write fails with {@link WriteOverflowException} and the channel goes on. Only for protocols in which each write is a whole
     * message that the peer can do without; in any other stream the peer cannot make sense of what follows.
     */
    FAIL,

    /**
     * The writing thread waits until there is room or the channel closes. An I/O thread, which would wait for itself or keep others
     * waiting, never does: there the channel closes as under {@link #CLOSE}. A timer's thread would, and keep its other tasks waiting. Set {@link ChannelOption#WRITE_STALL_TIMEOUT_MILLIS} too, or
     * a peer that takes nothing holds the thread for as long as it likes.
     */
    BLOCK
}
