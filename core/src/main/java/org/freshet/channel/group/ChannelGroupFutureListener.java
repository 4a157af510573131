package org.freshet.channel.group;

import java.util.EventListener;

/**
 * Called once when a {@link ChannelGroupFuture} is done, on the thread that completes the last of its futures; or, if it is already done,
 * immediately on the thread that adds the listener. It must not block. If it throws, the exception is logged.
 */
public interface ChannelGroupFutureListener extends EventListener {
    /**
     * Called when all futures of the group future are done.
     *
     * @param future the future this listener was added to
     */
    void operationComplete(ChannelGroupFuture future) throws Exception;
}
