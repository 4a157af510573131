package org.freshet.channel.group;

import java.util.EventListener;

/**
 * Called once when a {@link ChannelGroupFuture} is done, on the thread that completes the last of its futures; if it is
 * added after that, at once on the thread that adds it. It must not block; what it throws is logged.
 */
public interface ChannelGroupFutureListener extends EventListener {
    /**
     * Called when all futures of the group future are done.
     *
     * @param future the one this listener was added to
     */
    void operationComplete(ChannelGroupFuture future) throws Exception;
}
