package org.freshet.channel;

/** Thrown when a {@link LifeCycleAwareChannelHandler} fails while it is added or removed. */
public class ChannelHandlerLifeCycleException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ChannelHandlerLifeCycleException() {}

    public ChannelHandlerLifeCycleException(String message, Throwable cause) {
        super(message, cause);
    }

    public ChannelHandlerLifeCycleException(String message) {
        super(message);
    }

    public ChannelHandlerLifeCycleException(Throwable cause) {
        super(cause);
    }
}
