package org.freshet.channel.socket.oio;

import java.net.SocketAddress;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.request.Requests;
import org.freshet.internal.request.SerialChannelSink;

/** The sink of connections and datagram channels: carries out requests on the calling thread. */
final class OioSink extends SerialChannelSink implements Requests<OioChannel> {
    static final OioSink INSTANCE = new OioSink();

    private OioSink() {}

    @Override
    public void eventSunk(ChannelPipeline pipeline, ChannelEvent e) {
        carryOut((OioChannel) e.getChannel(), e);
    }

    @Override
    public void write(OioChannel channel, MessageEvent message) {
        channel.write(message);
    }

    @Override
    public void shutdownOutput(OioChannel channel, MessageEvent request) {
        if (channel instanceof OioSocketChannel) {
            channel.write(request);
        } else {
            Requests.super.shutdownOutput(channel, request);
        }
    }

    @Override
    public void bind(OioChannel channel, ChannelFuture future, SocketAddress localAddress) {
        channel.bind(future, localAddress);
    }

    @Override
    public void connect(OioChannel channel, ChannelFuture future, SocketAddress remoteAddress) {
        channel.connect(future, remoteAddress);
    }

    @Override
    public void disconnect(OioChannel channel, ChannelFuture future) {
        channel.disconnect(future);
    }

    @Override
    public void setInterestOps(OioChannel channel, ChannelFuture future, int interestOps) {
        channel.changeInterest(future, interestOps);
    }

    @Override
    public void close(OioChannel channel, ChannelFuture future) {
        channel.close(future);
    }
}
