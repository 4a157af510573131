package org.freshet.channel.group;

import java.util.EventListener;

/**
 * Told once when a {@link ChannelGroupFuture} is done, on the thread that completes the last of its futures; when it was
 * added after that, at once on the thread that added it. It must not block; what it throws is logged.
 */
public interface ChannelGroupFutureListener extends EventListener {
    /**
     * Called when all futures of the group future are done.
     *
     * @param future the one this listener was added to
     */
    void operationComplete(ChannelGroupFuture future) throws Exception;
}
