package org.freshet.bootstrap;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;

/** What the bootstraps do when a channel could not be bound or connected. */
final class BootstrapFutures {
    /** Closes a channel whose connect failed or was cancelled, so that no half-made channel is left to the user. */
    static final ChannelFutureListener CLOSE_UNLESS_SUCCESS = future -> {
        if (!future.isSuccess()) {
            future.getChannel().close();
        }
    };

    private BootstrapFutures() {}

    /** Fails a future after its channel is closed, so that whoever learns of the failure may use the address again. */
    static void closeThenFail(ChannelFuture future, Throwable cause) {
        Channel channel = future.getChannel();
        channel.close().addListener(closed -> future.setFailure(cause));
    }
}
