package org.freshet.channel;

/** Thrown when an operation on a channel fails. */
public class ChannelException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ChannelException() {}

    public ChannelException(String message, Throwable cause) {
        super(message, cause);
    }

    public ChannelException(String message) {
        super(message);
    }

    public ChannelException(Throwable cause) {
        super(cause);
    }
}
