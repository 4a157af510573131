package org.freshet.channel;

import java.util.EventListener;

/**
 * Told once when a {@link ChannelFuture} completes, on the thread that completes it; when it was added after that, at
 * once on the thread that added it.
 *
 * <p>That thread is most often an I/O thread, so a listener must not block. What it throws is logged and keeps no other
 * listener from being called.
 */
public interface ChannelFutureListener extends EventListener {
    /** Closes the future's channel, however the operation ended. */
    ChannelFutureListener CLOSE = future -> future.getChannel().close();

    /** Closes the future's channel when the operation failed or was cancelled. */
    ChannelFutureListener CLOSE_ON_FAILURE = future -> {
        if (!future.isSuccess()) {
            future.getChannel().close();
        }
    };

    /**
     * Called when the future is done.
     *
     * @param future the one this listener was added to
     */
    void operationComplete(ChannelFuture future) throws Exception;
}
