package org.freshet.handler.ssl;

import java.util.function.Supplier;
import org.freshet.channel.Channel;
import org.freshet.channel.DefaultChannelFuture;

/** A future that exists before there is a channel. */
final class EarlyFuture extends DefaultChannelFuture {
    private final Supplier<Channel> channel;

    /** @param channel returns null until there is a channel, then always the same one */
    EarlyFuture(Supplier<Channel> channel) {
        super(null, false);
        this.channel = channel;
    }

    @Override
    public Channel getChannel() {
        return channel.get();
    }
}
