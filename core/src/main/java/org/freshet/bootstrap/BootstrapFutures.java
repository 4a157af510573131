package org.freshet.bootstrap;

import java.util.concurrent.CancellationException;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.CloseReason;

/** Shared handling of channels that could not be bound or connected. */
final class BootstrapFutures {
    /** Closes a channel whose connect failed or was cancelled, so the user never gets a half-configured channel. */
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

    /** Fails a future only after its channel is closed, so its listeners can use the address again. */
    static void closeThenFail(ChannelFuture future, Throwable cause) {
        Channel channel = future.getChannel();
        channel.close(CloseReason.of(CloseReason.Kind.BIND_FAILED, null, cause))
                .addListener(closed -> future.setFailure(cause));
    }

    /** Whether a channel was closed by a shutdown of its factory. */
    static boolean isShutDown(Channel channel) {
        CloseReason reason = channel.isOpen() ? null : channel.getCloseReason();
        return reason != null && reason.kind() == CloseReason.Kind.SHUTDOWN;
    }

    /** The cause as the end of a message. */
    static String reason(Throwable cause) {
        return cause.getMessage() != null ? cause.getMessage() : cause.toString();
    }

    /** Returns why a future did not succeed: its cause, or a {@link CancellationException}. */
    static Throwable causeOf(ChannelFuture failed) {
        Throwable cause = failed.getCause();
        return cause != null ? cause : new CancellationException("binding was cancelled");
    }
}
