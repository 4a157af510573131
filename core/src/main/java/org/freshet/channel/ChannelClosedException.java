package org.freshet.channel;

import java.nio.channels.ClosedChannelException;

/**
 * Fails what was asked of a channel that is closed or being closed, and says why it is. The cause is that of the reason.
 *
 * <p>It extends the JDK's exception, which has no message, so that software that catches that one goes on working.
 */
public class ChannelClosedException extends ClosedChannelException {
    private static final long serialVersionUID = 1L;

    private final CloseReason reason;

    /**
     * @param reason null if it is not known
     */
    public ChannelClosedException(CloseReason reason) {
        this.reason = reason;
        if (reason != null && reason.cause() != null) {
            initCause(reason.cause());
        }
    }

    /** For a channel, with the reason that it has now. */
    public static ChannelClosedException of(Channel channel) {
        return new ChannelClosedException(channel.getCloseReason());
    }

    /** Why the channel was closed; null if that was not known. */
    public CloseReason getReason() {
        return reason;
    }

    @Override
    public String getMessage() {
        return reason == null ? "the channel is closed" : "the channel is closed: " + reason.text();
    }
}
