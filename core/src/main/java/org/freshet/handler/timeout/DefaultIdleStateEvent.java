package org.freshet.handler.timeout;

import java.time.Instant;
import java.util.Objects;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;

/** The standard {@link IdleStateEvent}. Immutable. */
public class DefaultIdleStateEvent implements IdleStateEvent {
    private final Channel channel;
    private final IdleState state;
    private final long lastActivityTimeMillis;

    public DefaultIdleStateEvent(Channel channel, IdleState state, long lastActivityTimeMillis) {
        this.channel = Objects.requireNonNull(channel, "channel");
        this.state = Objects.requireNonNull(state, "state");
        this.lastActivityTimeMillis = lastActivityTimeMillis;
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
    public IdleState getState() {
        return state;
    }

    @Override
    public long getLastActivityTimeMillis() {
        return lastActivityTimeMillis;
    }

    @Override
    public String toString() {
        return channel + " " + state + " since " + Instant.ofEpochMilli(lastActivityTimeMillis);
    }
}
