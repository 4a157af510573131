package org.freshet.channel;

import java.util.Objects;

/** An exception that is on its way up the pipeline. Immutable. */
public class DefaultExceptionEvent implements ExceptionEvent {
    private final Channel channel;
    private final Throwable cause;

    public DefaultExceptionEvent(Channel channel, Throwable cause) {
        this.channel = Objects.requireNonNull(channel, "channel");
        this.cause = Objects.requireNonNull(cause, "cause");
    }

    @Override
    public Channel getChannel() {
        return channel;
    }

    @Override
    public ChannelFuture getFuture() {
        return Channels.succeededFuture(channel);
    }

    @Override
    public Throwable getCause() {
        return cause;
    }

    @Override
    public String toString() {
        return channel + " EXCEPTION: " + cause;
    }
}
