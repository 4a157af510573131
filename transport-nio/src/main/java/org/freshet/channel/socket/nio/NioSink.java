package org.freshet.channel.socket.nio;

import java.nio.channels.ClosedChannelException;
import org.freshet.channel.AbstractChannelSink;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.transport.Requests;

/** Where the downstream events of connections and datagram channels end: each becomes a task of the channel's loop. Any thread. */
abstract class NioSink<C extends NioChannel> extends AbstractChannelSink implements Requests<C> {
    @Override
    public final void write(C channel, MessageEvent message) {
        channel.write(message);
    }

    @Override
    public final void setInterestOps(C channel, ChannelFuture future, int interestOps) {
        enqueue(channel, future, () -> channel.onSetInterestOps(future, interestOps));
    }

    @Override
    public final void close(C channel, ChannelFuture future) {
        channel.close(future);
    }

    /** The future fails if the loop has ended. */
    static void enqueue(NioChannel channel, ChannelFuture future, Runnable task) {
        if (!channel.loop().execute(task)) {
            future.setFailure(new ClosedChannelException());
        }
    }

    @Override
    public final ChannelFuture execute(ChannelPipeline pipeline, Runnable task) {
        NioChannel channel = (NioChannel) pipeline.getChannel();
        return LoopTasks.execute(channel.loop(), channel, task);
    }
}
