package org.freshet.handler.ssl;

import java.util.function.Supplier;
import org.freshet.channel.Channel;
import org.freshet.channel.DefaultChannelFuture;

/** A future that can be had before there is a channel. */
final class EarlyFuture extends DefaultChannelFuture {
    private final Supplier<Channel> channel;

    /** @param channel answers null until there is one; the same one ever after */
    EarlyFuture(Supplier<Channel> channel) {
        super(null, false);
        this.channel = channel;
    }

    @Override
    public Channel getChannel() {
        return channel.get();
    }
}
