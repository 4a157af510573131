package org.freshet.channel.socket.nio;

import java.net.SocketAddress;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;

/** The sink of UDP channels. */
final class NioDatagramSink extends NioSink<NioDatagramChannel> {
    @Override
    public void eventSunk(ChannelPipeline pipeline, ChannelEvent e) {
        carryOut((NioDatagramChannel) e.getChannel(), e);
    }

    @Override
    public void bind(NioDatagramChannel channel, ChannelFuture future, SocketAddress localAddress) {
        channel.request(future, () -> channel.onBind(future, localAddress));
    }

    @Override
    public void connect(NioDatagramChannel channel, ChannelFuture future, SocketAddress remoteAddress) {
        channel.changePeer(future, () -> channel.onConnect(future, remoteAddress));
    }

    @Override
    public void disconnect(NioDatagramChannel channel, ChannelFuture future) {
        channel.changePeer(future, () -> channel.onDisconnect(future));
    }
}
