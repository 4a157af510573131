package org.freshet.channel.socket.nio;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelSink;

/**
 * A TCP connection, accepted or made, driven by one {@link NioWorker}.
 *
 * <p>Threading: as in {@link org.freshet.channel.Channel}: any thread may call public methods.
 */
public final class NioSocketChannel extends NioStreamChannel implements org.freshet.channel.socket.SocketChannel {
    /** Creates a connection to be made. */
    NioSocketChannel(
            ChannelFactory factory,
            ChannelPipeline pipeline,
            ChannelSink sink,
            SocketChannel socket,
            NioWorker worker) {
        super(factory, pipeline, sink, socket, new NioSocketConfig(socket), worker);
    }

    /**
     * Creates a connection that {@code parent} has accepted.
     *
     * @throws IOException if the socket is closed
     */
    NioSocketChannel(
            Channel parent, ChannelPipeline pipeline, ChannelSink sink, SocketChannel accepted, NioWorker worker)
            throws IOException {
        super(parent, pipeline, sink, accepted, new NioSocketConfig(accepted), worker);
    }

    /** Returns the worker that drives this connection. */
    public NioWorker getWorker() {
        return worker();
    }

    @Override
    PendingConnect newConnect(SocketChannel socket, SocketAddress address, ChannelFuture future, NioClientBoss boss) {
        if (!(address instanceof InetSocketAddress target) || !target.isUnresolved()) {
            return super.newConnect(socket, address, future, boss);
        }
        NioSocketConfig config = (NioSocketConfig) getConfig();
        return new NamedConnect(
                this, socket, target, config.nameResolver(), config.getConnectTimeoutMillis(), future, boss);
    }

    @Override
    public InetSocketAddress getLocalAddress() {
        return (InetSocketAddress) super.getLocalAddress();
    }

    @Override
    public InetSocketAddress getRemoteAddress() {
        return (InetSocketAddress) super.getRemoteAddress();
    }
}
