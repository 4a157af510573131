package org.freshet.channel.socket.nio;

import java.util.concurrent.RejectedExecutionException;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.socket.ChannelRunnableWrapper;

/** Runs users' tasks on a channel's loop, with a future. Any thread. */
final class LoopTasks {
    private LoopTasks() {}

    /** The future fails with RejectedExecutionException when the loop has stopped. */
    static ChannelFuture execute(NioLoop loop, Channel channel, Runnable task) {
        ChannelRunnableWrapper future = new ChannelRunnableWrapper(channel, task);
        if (!loop.execute(future)) {
            future.addListener(
                    refused -> {}); // most such tasks are Freshet's own: no failure that a user has overlooked
            future.setFailure(new RejectedExecutionException("the I/O loop of " + channel + " has been shut down"));
        }
        return future;
    }
}
