package org.freshet.bootstrap;

import java.util.concurrent.CancellationException;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.CloseReason;

/** What the bootstraps do when a channel could not be bound or connected. */
final class BootstrapFutures {
    /** Closes a channel whose connect failed or was cancelled, so that the user gets no channel that is half set up. */
    static final ChannelFutureListener CLOSE_UNLESS_SUCCESS = future -> {
        if (!future.isSuccess()) {
            future.getChannel().close(connectFailed(future.getCause()));
        }
    };

    private BootstrapFutures() {}

    /**
     * @param cause null if the connect was cancelled
     */
    private static CloseReason connectFailed(Throwable cause) {
        return cause == null ? CloseReason.LOCAL : CloseReason.of(CloseReason.Kind.CONNECT_FAILED, null, cause);
    }

    /** Fails a future after its channel is closed, so that its listeners may use the address again. */
    static void closeThenFail(ChannelFuture future, Throwable cause) {
        Channel channel = future.getChannel();
        channel.close(CloseReason.of(CloseReason.Kind.BIND_FAILED, null, cause))
                .addListener(closed -> future.setFailure(cause));
    }

    /** Whether a channel is closed because its factory was shut down. */
    static boolean isShutDown(Channel channel) {
        CloseReason reason = channel.isOpen() ? null : channel.getCloseReason();
        return reason != null && reason.kind() == CloseReason.Kind.SHUTDOWN;
    }

    /** For a message that ends with it. */
    static String reason(Throwable cause) {
        return cause.getMessage() != null ? cause.getMessage() : cause.toString();
    }

    /** Why a future did not succeed: its cause, or that it was cancelled. */
    static Throwable causeOf(ChannelFuture failed) {
        Throwable cause = failed.getCause();
        return cause != null ? cause : new CancellationException("binding was cancelled");
    }
}
