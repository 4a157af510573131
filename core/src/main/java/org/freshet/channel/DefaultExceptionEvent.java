package org.freshet.channel;

import java.util.Objects;

/** An exception on its way up the pipeline. Immutable. */
public class DefaultExceptionEvent extends UpstreamEvent implements ExceptionEvent {
    private final Throwable cause;

    public DefaultExceptionEvent(Channel channel, Throwable cause) {
        super(channel);
        this.cause = Objects.requireNonNull(cause, "cause");
    }

    @Override
    public Throwable getCause() {
        return cause;
    }

    @Override
    public String toString() {
        return getChannel() + " EXCEPTION: " + cause;
    }
}
