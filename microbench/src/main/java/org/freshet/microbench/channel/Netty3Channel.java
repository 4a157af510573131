package org.freshet.microbench.channel;

import java.net.SocketAddress;
import org.jboss.netty.channel.AbstractChannel;
import org.jboss.netty.channel.AbstractChannelSink;
import org.jboss.netty.channel.ChannelConfig;
import org.jboss.netty.channel.ChannelEvent;
import org.jboss.netty.channel.ChannelPipeline;
import org.jboss.netty.channel.DefaultChannelConfig;

/** A channel of Netty 3 without a transport: what comes down succeeds at once. */
public final class Netty3Channel extends AbstractChannel {
    private final ChannelConfig config = new DefaultChannelConfig();

    /** A channel that is open, bound and connected as far as anyone asks, with {@code pipeline}. */
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
