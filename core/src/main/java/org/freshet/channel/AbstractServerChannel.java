package org.freshet.channel;

import java.net.SocketAddress;

/**
 * Base class of server channels: they can be bound and closed. Every other operation returns a future that has failed with
 * {@link UnsupportedOperationException}.
 */
public abstract class AbstractServerChannel extends AbstractChannel implements ServerChannel {
    /** Creates an open channel and attaches the pipeline to it; see {@link AbstractChannel}. */
    protected AbstractServerChannel(ChannelFactory factory, ChannelPipeline pipeline, ChannelSink sink) {
        super(null, factory, pipeline, sink);
    }

    @Override
    public ChannelFuture connect(SocketAddress remoteAddress) {
        return getUnsupportedOperationFuture();
    }

    @Override
    public ChannelFuture disconnect() {
        return getUnsupportedOperationFuture();
    }

    /** Always {@link #OP_NONE}. */
    @Override
    public int getInterestOps() {
        return OP_NONE;
    }

    @Override
    public ChannelFuture setInterestOps(int interestOps) {
        return getUnsupportedOperationFuture();
    }

    @Override
    protected void setInternalInterestOps(int interestOps) {
        // There is nothing to read.
    }

    @Override
    public ChannelFuture write(Object message) {
        return getUnsupportedOperationFuture();
    }

    @Override
    public ChannelFuture write(Object message, SocketAddress remoteAddress) {
        return getUnsupportedOperationFuture();
    }

    @Override
    public boolean isConnected() {
        return false;
    }
}
