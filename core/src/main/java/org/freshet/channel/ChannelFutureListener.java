package org.freshet.channel;

import java.util.EventListener;

/** Told once when a {@link ChannelFuture} completes, on the thread that completes it. */
public interface ChannelFutureListener extends EventListener {
    /** Closes the future's channel, however the operation ended. */
    ChannelFutureListener CLOSE = future -> future.getChannel().close();

    /** Closes the future's channel when the operation failed or was cancelled. */
    ChannelFutureListener CLOSE_ON_FAILURE = future -> {
        if (!future.isSuccess()) {
            future.getChannel().close();
        }
    };

    void operationComplete(ChannelFuture future) throws Exception;
}
