package org.freshet.channel;

import java.util.Objects;

/** A request to change a channel's state. Immutable. */
public class DownstreamChannelStateEvent implements ChannelStateEvent {
    private final Channel channel;
    private final ChannelFuture future;
    private final ChannelState state;
    private final Object value;

    /**
     * Requests that {@code state} of {@code channel} become {@code value}.
     *
     * @param future completes when the request has been carried out or has failed
     * @param value the requested value; may be null
     */
    public DownstreamChannelStateEvent(Channel channel, ChannelFuture future, ChannelState state, Object value) {
        this.channel = Objects.requireNonNull(channel, "channel");
        this.future = Objects.requireNonNull(future, "future");
        this.state = Objects.requireNonNull(state, "state");
        this.value = value;
    }

    @Override
    public Channel getChannel() {
        return channel;
    }

    @Override
    public ChannelFuture getFuture() {
        return future;
    }

    @Override
    public ChannelState getState() {
        return state;
    }

    @Override
    public Object getValue() {
        return value;
    }

    @Override
    public String toString() {
        return channel + " " + request();
    }

    private String request() {
        return switch (state) {
            case OPEN -> Boolean.TRUE.equals(value) ? "OPEN" : "CLOSE";
            case BOUND -> value == null ? "UNBIND" : "BIND: " + value;
            case CONNECTED -> value == null ? "DISCONNECT" : "CONNECT: " + value;
            case INTEREST_OPS -> "CHANGE_INTEREST: " + value;
        };
    }
}
