package org.freshet.channel.socket.nio;

import java.nio.channels.DatagramChannel;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.UnaryOperator;
import org.freshet.channel.ReceiveBufferSizePredictor;
import org.freshet.channel.socket.DefaultDatagramChannelConfig;
import org.freshet.channel.socket.nio.send.WriteLimits;
import org.freshet.internal.write.WaterMarks;

/** The settings of a UDP channel over a NIO channel. Any thread may read and write them. */
final class NioDatagramConfig extends DefaultDatagramChannelConfig implements NioDatagramChannelConfig, WriteLimited {
    static {
        NioOptions.DATAGRAM.ownedBy(NioDatagramConfig.class);
    }

    private static final AtomicReferenceFieldUpdater<NioDatagramConfig, WriteLimits> WRITE_LIMITS =
            AtomicReferenceFieldUpdater.newUpdater(NioDatagramConfig.class, WriteLimits.class, "writeLimits");

    private volatile WriteLimits writeLimits = WriteLimits.DEFAULT;

    NioDatagramConfig(DatagramChannel channel) {
        super(channel);
    }

    @Override
    public void setOptions(Map<String, Object> options) {
        super.setOptions(WaterMarks.inSafeOrder(options, writeLimits.lowWaterMark()));
    }

    @Override
    public WriteLimits writeLimits() {
        return writeLimits;
    }

    @Override
    public void changeWriteLimits(UnaryOperator<WriteLimits> change) {
        WRITE_LIMITS.updateAndGet(this, change);
    }

    /**
     * Returns the predictor if the user set one, or a factory for one; null means datagrams of any size are received.
     */
    @Override
    protected ReceiveBufferSizePredictor explicitReceiveBufferSizePredictor() {
        return super.explicitReceiveBufferSizePredictor();
    }
}
