package org.freshet.channel;

import java.util.Objects;

/** A channel's state changed. Immutable. */
public class UpstreamChannelStateEvent extends UpstreamEvent implements ChannelStateEvent {
    private final ChannelState state;
    private final Object value;

    /**
     * Reports that {@code state} of {@code channel} is now {@code value}.
     *
     * @param value the state's new value; may be null
     */
    public UpstreamChannelStateEvent(Channel channel, ChannelState state, Object value) {
        super(channel);
        this.state = Objects.requireNonNull(state, "state");
        this.value = value;
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
        return getChannel() + " " + what();
    }

    private String what() {
        return switch (state) {
            case OPEN -> Boolean.TRUE.equals(value) ? "OPEN" : "CLOSED";
            case BOUND -> value == null ? "UNBOUND" : "BOUND: " + value;
            case CONNECTED -> value == null ? "DISCONNECTED" : "CONNECTED: " + value;
            case INTEREST_OPS -> "INTEREST_CHANGED";
        };
    }
}
