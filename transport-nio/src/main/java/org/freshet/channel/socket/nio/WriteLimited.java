package org.freshet.channel.socket.nio;

import java.util.function.UnaryOperator;
import org.freshet.channel.WriteOverflow;
import org.freshet.channel.socket.nio.send.WriteLimits;
import org.freshet.internal.write.WriteBound;

/** The write settings of a NIO channel, on top of one {@link WriteLimits} held by each kind of config. */
interface WriteLimited extends NioChannelConfig, WriteBound.Config {
    /** Returns the current limits. A write reads them once and uses them together. */
    WriteLimits writeLimits();

    /** Replaces the limits without losing concurrent changes by other threads. */
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

    @Override
    default WriteBound writeBound() {
        return writeLimits().bound();
    }

    @Override
    default void changeWriteBound(UnaryOperator<WriteBound> change) {
        changeWriteLimits(limits -> limits.withBound(change.apply(limits.bound())));
    }

    @Override
    default int getWriteBufferLimit() {
        return writeBound().limitBytes();
    }

    @Override
    default void setWriteBufferLimit(int writeBufferLimit) {
        changeWriteBound(bound -> bound.withLimit(writeBufferLimit));
    }

    @Override
    default WriteOverflow getWriteOverflow() {
        return writeBound().overflow();
    }

    @Override
    default void setWriteOverflow(WriteOverflow writeOverflow) {
        changeWriteBound(bound -> bound.withOverflow(writeOverflow));
    }
}
