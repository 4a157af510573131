package org.freshet.channel.socket.oio;

import java.net.SocketAddress;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.internal.request.SerialChannelSink;
import org.freshet.internal.request.ServerRequests;

/** The sink of listening sockets: carries out downstream requests on the caller's thread. Any thread may call it. */
final class OioServerSink extends SerialChannelSink implements ServerRequests<OioServerSocketChannel> {
    private final ThreadStarter threads;

    OioServerSink(ThreadStarter threads) {
        this.threads = threads;
    }

    @Override
    public void eventSunk(ChannelPipeline pipeline, ChannelEvent e) {
        carryOut((OioServerSocketChannel) e.getChannel(), e);
    }

    @Override
    public void bind(OioServerSocketChannel channel, ChannelFuture future, SocketAddress localAddress) {
        channel.bind(future, localAddress, threads);
    }

    @Override
    public void close(OioServerSocketChannel channel, ChannelFuture future) {
        channel.close(future);
    }
}
