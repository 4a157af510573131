package org.freshet.channel.socket.nio;

import java.net.SocketAddress;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import org.freshet.channel.AbstractChannelSink;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.MessageEvent;

/** Where the downstream events of TCP connections end: each becomes a task of the channel's worker. Any thread. */
final class NioSocketSink extends AbstractChannelSink {
    /** Null for accepted connections, which have no need to connect. */
    private final BossPool<NioClientBoss> bosses;

    NioSocketSink(BossPool<NioClientBoss> bosses) {
        this.bosses = bosses;
    }

    @Override
    public void eventSunk(ChannelPipeline pipeline, ChannelEvent e) {
        NioSocketChannel channel = (NioSocketChannel) e.getChannel();
        if (e instanceof MessageEvent message) {
            channel.write(message);
        } else if (e instanceof ChannelStateEvent state) {
            onState(channel, state);
        }
    }

    private void onState(NioSocketChannel channel, ChannelStateEvent e) {
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
            case CONNECTED -> {
                if (value == null) {
                    channel.close(future);
                } else {
                    connect(channel, future, (SocketAddress) value);
                }
            }
            case INTEREST_OPS ->
                enqueue(channel, future, () -> channel.onSetInterestOps(future, ((Number) value).intValue()));
        }
    }

    private void connect(NioSocketChannel channel, ChannelFuture future, SocketAddress remoteAddress) {
        if (bosses == null) {
            future.setFailure(new AlreadyConnectedException());
            return;
        }
        NioClientBoss boss = bosses.nextBoss();
        enqueue(channel, future, () -> channel.onConnect(future, remoteAddress, boss));
    }

    private static void enqueue(NioSocketChannel channel, ChannelFuture future, Runnable task) {
        if (!channel.loop().execute(task)) {
            future.setFailure(new ClosedChannelException());
        }
    }

    @Override
    public ChannelFuture execute(ChannelPipeline pipeline, Runnable task) {
        return LoopTasks.execute(((NioSocketChannel) pipeline.getChannel()).loop(), pipeline.getChannel(), task);
    }
}
