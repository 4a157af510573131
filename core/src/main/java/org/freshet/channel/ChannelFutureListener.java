package org.freshet.channel;

import java.util.EventListener;

/**
 * Called once when a {@link ChannelFuture} completes, on the completing thread; or, if the future is already complete, immediately on the
 * thread that adds the listener.
 *
 * <p>That is usually an I/O thread, so a listener must not block. If it throws, the exception is logged and the other listeners are still
 * called.
 */
public interface ChannelFutureListener extends EventListener {
    /** Closes the future's channel, however the operation ended. */
    ChannelFutureListener CLOSE = future -> future.getChannel().close();

    /** Closes the future's channel if the operation failed or was cancelled. */
    ChannelFutureListener CLOSE_ON_FAILURE = future -> {
        if (!future.isSuccess()) {
            future.getChannel().close(CloseReason.of(CloseReason.Kind.LOCAL, "an operation failed", future.getCause()));
        }
    };

    /**
     * Called when the future is done.
     *
     * @param future the future this listener was added to
     */
    void operationComplete(ChannelFuture future) throws Exception;
}
