package org.freshet.channel;

import java.net.SocketAddress;

/**
 * A channel without a peer, thread or config, cheap to create in large numbers. Its transport remembers the requested
 * interest ops and completes every request. Any thread may call this.
 */
public class StressChannel extends AbstractChannel implements WriteMarks {
    static final int HIGH = 64;
    static final int LOW = 32;

    private static final class Sink extends AbstractChannelSink {
        @Override
        public void eventSunk(ChannelPipeline pipeline, ChannelEvent e) {
            if (e instanceof ChannelStateEvent request && request.getState() == ChannelState.INTEREST_OPS) {
                StressChannel channel = (StressChannel) e.getChannel();
                channel.asked = (Integer) request.getValue();
                channel.setInternalInterestOps(channel.asked);
            }
            e.getFuture().setSuccess();
        }
    }

    private static final Sink SINK = new Sink();

    private final AbstractChannel whole;
    private volatile int asked = OP_READ;

    public StressChannel(ChannelPipeline pipeline) {
        this(pipeline, null);
    }

    StressChannel(ChannelPipeline pipeline, AbstractChannel whole) {
        super(null, null, pipeline, SINK);
        this.whole = whole;
    }

    public final int askedInterestOps() {
        return asked;
    }

    @Override
    protected final AbstractChannel getSendingChannel() {
        return whole;
    }

    @Override
    public final int highWaterMark() {
        return HIGH;
    }

    @Override
    public final int lowWaterMark() {
        return LOW;
    }

    @Override
    public int limitBytes() {
        return 0;
    }

    @Override
    public ChannelConfig getConfig() {
        throw new IllegalStateException("nothing to configure");
    }

    @Override
    public final boolean isBound() {
        return true;
    }

    @Override
    public final boolean isConnected() {
        return true;
    }

    @Override
    public final SocketAddress getLocalAddress() {
        return null;
    }

    @Override
    public final SocketAddress getRemoteAddress() {
        return null;
    }
}
