package org.freshet.channel;

import java.nio.channels.ClosedChannelException;

/**
 * Fails operations on a channel that is closed or closing, and says why it is. Its cause is the cause of that reason.
 *
 * <p>It extends the JDK's {@link ClosedChannelException}, which has no message, so code that catches that one keeps working.
 */
public class ChannelClosedException extends ClosedChannelException {
    private static final long serialVersionUID = 1L;

    private final CloseReason reason;

    /**
     * @param reason null if unknown
     */
    public ChannelClosedException(CloseReason reason) {
        this.reason = reason;
        if (reason != null && reason.cause() != null) {
            initCause(reason.cause());
        }
    }

    /** Creates an exception with the channel's current reason. */
    public static ChannelClosedException of(Channel channel) {
        return new ChannelClosedException(channel.getCloseReason());
    }

    /** Returns why the channel was closed; null if unknown. */
    public CloseReason getReason() {
        return reason;
    }

    @Override
    public String getMessage() {
        return reason == null ? "the channel is closed" : "the channel is closed: " + reason.text();
    }
}
