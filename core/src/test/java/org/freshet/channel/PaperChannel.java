package org.freshet.channel;

import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** A minimal channel: a pipeline, a {@link PaperSink}, and a peer that never answers. */
class PaperChannel extends AbstractChannel {
    static final SocketAddress PEER = InetSocketAddress.createUnresolved("peer", 7);

    final PaperSink sink;

    PaperChannel(ChannelPipeline pipeline) {
        this(null, pipeline, new PaperSink());
    }

    PaperChannel(ChannelHandler... handlers) {
        this(Channels.pipeline(handlers));
    }

    PaperChannel(Channel parent, ChannelPipeline pipeline, PaperSink sink) {
        super(parent, null, pipeline, sink);
        this.sink = sink;
    }

    boolean closeNow() {
        return setClosed();
    }

    @Override
    public ChannelConfig getConfig() {
        throw new IllegalStateException("nothing to configure");
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
        return InetSocketAddress.createUnresolved("self", 8);
    }

    @Override
    public SocketAddress getRemoteAddress() {
        return PEER;
    }

    @Override
    public String toString() {
        return "paper-" + getId();
    }
}
