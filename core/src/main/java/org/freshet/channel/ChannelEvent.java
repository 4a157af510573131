package org.freshet.channel;

public interface ChannelEvent {
    Channel getChannel();

    ChannelFuture getFuture();
}
