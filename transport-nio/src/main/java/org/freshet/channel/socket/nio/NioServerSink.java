package org.freshet.channel.socket.nio;

import java.net.SocketAddress;
import org.freshet.channel.AbstractChannelSink;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.internal.request.ServerRequests;

/** The sink of listening sockets: the boss carries out downstream requests in order. Any thread may call it. */
final class NioServerSink extends AbstractChannelSink implements ServerRequests<NioListener> {
    @Override
    public void eventSunk(ChannelPipeline pipeline, ChannelEvent e) {
        carryOut((NioListener) e.getChannel(), e);
    }

    @Override
    public void bind(NioListener channel, ChannelFuture future, SocketAddress localAddress) {
        channel.bind(future, localAddress);
    }

    @Override
    public void close(NioListener channel, ChannelFuture future) {
        channel.close(future);
    }

    @Override
    public ChannelFuture execute(ChannelPipeline pipeline, Runnable task) {
        NioListener channel = (NioListener) pipeline.getChannel();
        return channel.boss().tasks().execute(channel, task);
    }
}
