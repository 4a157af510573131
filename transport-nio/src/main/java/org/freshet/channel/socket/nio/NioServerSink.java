package org.freshet.channel.socket.nio;

import java.net.SocketAddress;
import org.freshet.channel.AbstractChannelSink;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.internal.request.ServerRequests;

/** Where the downstream events of listening sockets end: the boss carries them out in their order. Any thread. */
final class NioServerSink extends AbstractChannelSink implements ServerRequests<NioServerSocketChannel> {
    @Override
    public void eventSunk(ChannelPipeline pipeline, ChannelEvent e) {
        carryOut((NioServerSocketChannel) e.getChannel(), e);
    }

    @Override
    public void bind(NioServerSocketChannel channel, ChannelFuture future, SocketAddress localAddress) {
        channel.bind(future, localAddress);
    }

    @Override
    public void close(NioServerSocketChannel channel, ChannelFuture future) {
        channel.close(future);
    }

    @Override
    public ChannelFuture execute(ChannelPipeline pipeline, Runnable task) {
        NioServerSocketChannel channel = (NioServerSocketChannel) pipeline.getChannel();
        return channel.boss().tasks().execute(channel, task);
    }
}
