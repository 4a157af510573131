package org.freshet.microbench.channel;

import java.net.SocketAddress;
import org.jboss.netty.channel.AbstractChannel;
import org.jboss.netty.channel.AbstractChannelSink;
import org.jboss.netty.channel.ChannelConfig;
import org.jboss.netty.channel.ChannelEvent;
import org.jboss.netty.channel.ChannelPipeline;
import org.jboss.netty.channel.DefaultChannelConfig;

/** A Netty 3 channel without a transport: downstream requests succeed immediately. */
public final class Netty3Channel extends AbstractChannel {
    private final ChannelConfig config = new DefaultChannelConfig();

    /** Creates a channel that reports to be open, bound and connected, with {@code pipeline}. */
    public Netty3Channel(ChannelPipeline pipeline) {
        super(null, null, pipeline, new Succeeding());
    }

    @Override
    public ChannelConfig getConfig() {
        return config;
    }

    @Override
    public boolean isBound() {
        return true;
    }

    @Override
    public boolean isConnected() {
        return true;
    }

    @Override
    public SocketAddress getLocalAddress() {
        return null;
    }

    @Override
    public SocketAddress getRemoteAddress() {
        return null;
    }

    private static final class Succeeding extends AbstractChannelSink {
        @Override
        public void eventSunk(ChannelPipeline pipeline, ChannelEvent event) {
            event.getFuture().setSuccess();
        }
    }
}
