package org.freshet.channel.socket.nio;

import org.freshet.channel.AbstractChannelSink;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.request.Requests;

/**
 * The sink of connections and datagram channels: each downstream event becomes a request of the channel. Any thread may
 * call it.
 */
abstract class NioSink<C extends NioChannel> extends AbstractChannelSink implements Requests<C> {
    @Override
    public final void write(C channel, MessageEvent message) {
        channel.write(message);
    }

    @Override
    public final void setInterestOps(C channel, ChannelFuture future, int interestOps) {
        channel.request(future, () -> channel.onSetInterestOps(future, interestOps));
    }

    @Override
    public final void close(C channel, ChannelFuture future) {
        channel.close(future);
    }

    @Override
    public final ChannelFuture execute(ChannelPipeline pipeline, Runnable task) {
        NioChannel channel = (NioChannel) pipeline.getChannel();
        return channel.loop().tasks().execute(channel, task);
    }
}
