package org.freshet.channel.socket.nio;

import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import org.freshet.channel.AbstractChannelSink;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.MessageEvent;

/** Where the downstream events of UDP channels end: each becomes a task of the channel's worker. Any thread. */
final class NioDatagramSink extends AbstractChannelSink {
    @Override
    public void eventSunk(ChannelPipeline pipeline, ChannelEvent e) {
        NioDatagramChannel channel = (NioDatagramChannel) e.getChannel();
        if (e instanceof MessageEvent message) {
            channel.write(message);
        } else if (e instanceof ChannelStateEvent state) {
            onState(channel, state);
        }
    }

    private static void onState(NioDatagramChannel channel, ChannelStateEvent e) {
        ChannelFuture future = e.getFuture();
        Object value = e.getValue();
        switch (e.getState()) {
            case OPEN -> {
                if (Boolean.FALSE.equals(value)) {
                    channel.close(future);
                }
            }
            case BOUND -> {
                if (value == null) {
                    channel.close(future);
                } else {
                    enqueue(channel, future, () -> channel.onBind(future, (SocketAddress) value));
                }
            }
            case CONNECTED ->
                enqueue(
                        channel,
                        future,
                        value == null
                                ? () -> channel.onDisconnect(future)
                                : () -> channel.onConnect(future, (SocketAddress) value));
            case INTEREST_OPS ->
                enqueue(channel, future, () -> channel.onSetInterestOps(future, ((Number) value).intValue()));
        }
    }

    private static void enqueue(NioDatagramChannel channel, ChannelFuture future, Runnable task) {
        if (!channel.loop().execute(task)) {
            future.setFailure(new ClosedChannelException());
        }
    }

    @Override
    public ChannelFuture execute(ChannelPipeline pipeline, Runnable task) {
        return LoopTasks.execute(((NioDatagramChannel) pipeline.getChannel()).loop(), pipeline.getChannel(), task);
    }
}
