package org.freshet.channel.socket.nio;

import java.util.function.UnaryOperator;
import org.freshet.channel.socket.nio.send.WriteLimits;

/** The write settings of a NIO channel, over one {@link WriteLimits} that each kind of config holds. */
interface WriteLimited extends NioChannelConfig {
    /** The limits now; a write path reads them once and uses them together. */
    WriteLimits writeLimits();

    /** Replaces the limits, without losing what another thread changes meanwhile. */
    void changeWriteLimits(UnaryOperator<WriteLimits> change);

    @Override
    default int getWriteBufferHighWaterMark() {
        return writeLimits().highWaterMark();
    }

    @Override
    default void setWriteBufferHighWaterMark(int writeBufferHighWaterMark) {
        changeWriteLimits(limits -> limits.withHighWaterMark(writeBufferHighWaterMark));
    }

    @Override
    default int getWriteBufferLowWaterMark() {
        return writeLimits().lowWaterMark();
    }

    @Override
    default void setWriteBufferLowWaterMark(int writeBufferLowWaterMark) {
        changeWriteLimits(limits -> limits.withLowWaterMark(writeBufferLowWaterMark));
    }

    @Override
    default int getWriteSpinCount() {
        return writeLimits().spinCount();
    }

    @Override
    default void setWriteSpinCount(int writeSpinCount) {
        changeWriteLimits(limits -> limits.withSpinCount(writeSpinCount));
    }

    @Override
    default boolean isWriteCoalescing() {
        return writeLimits().coalescing();
    }

    @Override
    default void setWriteCoalescing(boolean writeCoalescing) {
        changeWriteLimits(limits -> limits.withCoalescing(writeCoalescing));
    }
}
