package org.freshet.channel;

import java.util.Objects;

/**
 * The peer has ended its output, so nothing more is received; fired once, and only if {@link ChannelOption#ALLOW_HALF_CLOSURE} is
 * set, for otherwise the channel closes. What was sent to the peer before and after is still delivered. Immutable.
 */
public final class InputShutdownEvent implements ChannelEvent {
    private final Channel channel;

    public InputShutdownEvent(Channel channel) {
        this.channel = Objects.requireNonNull(channel, "channel");
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
    public String toString() {
        return channel + " INPUT_SHUTDOWN";
    }
}
