package org.freshet.channel.socket.nio;

import java.net.SocketAddress;
import java.nio.channels.AlreadyConnectedException;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.MessageEvent;

/** The sink of connections over TCP and Unix domain sockets. */
final class NioSocketSink extends NioSink<NioStreamChannel> {
    /** Null for accepted connections, which never connect. */
    private final BossPool<NioClientBoss> bosses;

    NioSocketSink(BossPool<NioClientBoss> bosses) {
        this.bosses = bosses;
    }

    @Override
    public void eventSunk(ChannelPipeline pipeline, ChannelEvent e) {
        carryOut((NioStreamChannel) e.getChannel(), e);
    }

    @Override
    public void shutdownOutput(NioStreamChannel channel, MessageEvent request) {
        channel.write(request);
    }

    @Override
    public void bind(NioStreamChannel channel, ChannelFuture future, SocketAddress localAddress) {
        channel.request(future, () -> channel.onBind(future, localAddress));
    }

    @Override
    public void connect(NioStreamChannel channel, ChannelFuture future, SocketAddress remoteAddress) {
        if (bosses == null) {
            future.setFailure(new AlreadyConnectedException());
            return;
        }
        NioClientBoss boss = bosses.nextBoss();
        channel.request(future, () -> channel.onConnect(future, remoteAddress, boss));
    }
}
