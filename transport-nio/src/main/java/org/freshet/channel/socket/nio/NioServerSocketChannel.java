package org.freshet.channel.socket.nio;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelSink;

/** A listening TCP socket. Threading: as in {@link NioListener}. */
final class NioServerSocketChannel extends NioListener implements org.freshet.channel.socket.ServerSocketChannel {
    NioServerSocketChannel(
            ChannelFactory factory,
            ChannelPipeline pipeline,
            ChannelSink sink,
            ServerSocketChannel socket,
            NioServerBoss boss,
            WorkerPool<NioWorker> workers,
            ChannelSink childSink) {
        super(factory, pipeline, sink, socket, new NioServerSocketConfig(socket), boss, workers, childSink);
    }

    @Override
    NioStreamChannel newChild(ChannelPipeline pipeline, ChannelSink sink, SocketChannel accepted, NioWorker worker)
            throws IOException {
        return new NioSocketChannel(this, pipeline, sink, accepted, worker);
    }

    @Override
    public InetSocketAddress getLocalAddress() {
        return (InetSocketAddress) super.getLocalAddress();
    }

    @Override
    public InetSocketAddress getRemoteAddress() {
        return null;
    }
}
