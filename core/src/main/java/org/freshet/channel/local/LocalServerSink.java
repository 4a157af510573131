package org.freshet.channel.local;

import java.net.SocketAddress;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.internal.request.SerialChannelSink;
import org.freshet.internal.request.ServerRequests;

/** The sink of server channels. Any thread may use it. */
final class LocalServerSink extends SerialChannelSink implements ServerRequests<DefaultLocalServerChannel> {
    static final LocalServerSink INSTANCE = new LocalServerSink();

    private LocalServerSink() {}

    @Override
    public void eventSunk(ChannelPipeline pipeline, ChannelEvent e) {
        carryOut((DefaultLocalServerChannel) e.getChannel(), e);
    }

    @Override
    public void bind(DefaultLocalServerChannel channel, ChannelFuture future, SocketAddress localAddress) {
        channel.bind(future, localAddress);
    }

    @Override
    public void close(DefaultLocalServerChannel channel, ChannelFuture future) {
        channel.close(future);
    }
}
