package org.freshet.handler.timeout;

import org.freshet.channel.ChannelException;

/** Reports that something expected on a channel did not happen in time. */
public class TimeoutException extends ChannelException {
    private static final long serialVersionUID = 1L;

    public TimeoutException() {}

    public TimeoutException(String message, Throwable cause) {
        super(message, cause);
    }

    public TimeoutException(String message) {
        super(message);
    }

    public TimeoutException(Throwable cause) {
        super(cause);
    }
}
