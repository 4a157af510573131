package org.freshet.channel.local;

import java.net.SocketAddress;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.request.Requests;
import org.freshet.internal.request.SerialChannelSink;

/** The sink of the two ends of a connection. Any thread may use it. */
final class LocalSink extends SerialChannelSink implements Requests<DefaultLocalChannel> {
    static final LocalSink INSTANCE = new LocalSink();

    private LocalSink() {}

    @Override
    public void eventSunk(ChannelPipeline pipeline, ChannelEvent e) {
        carryOut((DefaultLocalChannel) e.getChannel(), e);
    }

    @Override
    public void write(DefaultLocalChannel channel, MessageEvent message) {
        channel.write(message);
    }

    @Override
    public void shutdownOutput(DefaultLocalChannel channel, MessageEvent request) {
        channel.shutdownOutput(request);
    }

    @Override
    public void bind(DefaultLocalChannel channel, ChannelFuture future, SocketAddress localAddress) {
        channel.bind(future, localAddress);
    }

    @Override
    public void connect(DefaultLocalChannel channel, ChannelFuture future, SocketAddress remoteAddress) {
        channel.connect(future, remoteAddress);
    }

    @Override
    public void setInterestOps(DefaultLocalChannel channel, ChannelFuture future, int interestOps) {
        channel.changeInterest(future, interestOps);
    }

    @Override
    public void close(DefaultLocalChannel channel, ChannelFuture future) {
        channel.close(future);
    }
}
