package org.freshet.internal.request;

import org.freshet.channel.Channel;

/** A channel whose upstream events run one at a time, in a {@link SerialExecutor}. */
public interface SerialChannel extends Channel {
    /** Never changes. Any thread may call this. */
    SerialExecutor serialExecutor();

    /** Whether a write blocks the writing thread until the message is sent or the channel is closed. */
    default boolean isWriteBlocking() {
        return false;
    }

    /** Whether a write to a channel of any transport blocks the writing thread. */
    static boolean isWriteBlocking(Channel channel) {
        return channel instanceof SerialChannel serial && serial.isWriteBlocking();
    }

    /**
     * Runs the task of a time-out as an event of the channel, of any transport. If a handler is blocked in a write to the channel, it runs
     * nevertheless, on the calling thread.
     */
    static void executeUrgently(Channel channel, Runnable task) {
        if (channel instanceof SerialChannel serial) {
            serial.serialExecutor().executeUrgently(task);
        } else {
            channel.getPipeline().execute(task);
        }
    }
}
