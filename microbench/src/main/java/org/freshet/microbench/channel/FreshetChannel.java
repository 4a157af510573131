package org.freshet.microbench.channel;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.freshet.channel.AbstractChannel;
import org.freshet.channel.AbstractChannelSink;
import org.freshet.channel.ChannelConfig;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.DefaultChannelConfig;

/** A channel without a transport: downstream requests succeed immediately. */
public class FreshetChannel extends AbstractChannel {
    private static final SocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

    private final ChannelConfig config = new DefaultChannelConfig();

    /** Creates a channel that reports to be open, bound and connected, with {@code pipeline}. */
    public FreshetChannel(ChannelPipeline pipeline) {
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
        return ADDRESS;
    }

    @Override
    public SocketAddress getRemoteAddress() {
        return ADDRESS;
    }

    private static final class Succeeding extends AbstractChannelSink {
        @Override
        public void eventSunk(ChannelPipeline pipeline, ChannelEvent event) {
            event.getFuture().setSuccess();
        }
    }
}
