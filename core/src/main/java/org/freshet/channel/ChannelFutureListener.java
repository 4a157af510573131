package org.freshet.channel;

import java.util.EventListener;

/**
 * Called once when a {@link ChannelFuture} completes, on the thread that completes it; if it is added after that, at
 * once on the thread that adds it.
 *
 * <p>That thread is most often an I/O thread, so a listener must not block. What it throws is logged, and the
 * other listeners are still called.
 */
public interface ChannelFutureListener extends EventListener {
    /** Closes the future's channel, however the operation ended. */
    ChannelFutureListener CLOSE = future -> future.getChannel().close();

    /** Closes the future's channel when the operation failed or was cancelled. */
    ChannelFutureListener CLOSE_ON_FAILURE = future -> {
        if (!future.isSuccess()) {
            future.getChannel().close(CloseReason.of(CloseReason.Kind.LOCAL, "an operation failed", future.getCause()));
        }
    };

    /**
     * Called when the future is done.
     *
     * @param future the one this listener was added to
     */
    void operationComplete(ChannelFuture future) throws Exception;
}
