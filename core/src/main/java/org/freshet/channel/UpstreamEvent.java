package org.freshet.channel;

import java.util.Objects;

/** Something that has happened to a channel. There is nothing to wait for, so its future has succeeded. Immutable. */
abstract class UpstreamEvent implements ChannelEvent {
    private final Channel channel;

    UpstreamEvent(Channel channel) {
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
}
