package org.freshet.microbench.buffer;

import java.nio.ByteOrder;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/** A heap buffer of Freshet. */
final class FreshetHeapAccess implements HeapAccess {
    private final ChannelBuffer buffer;

    FreshetHeapAccess(ByteOrder order, int capacity) {
        buffer = ChannelBuffers.buffer(order, capacity);
        buffer.writerIndex(capacity);
    }

    @Override
    public long getByte(int index) {
        return buffer.getByte(index);
    }

    @Override
    public long getShort(int index) {
        return buffer.getShort(index);
    }

    @Override
    public long getMedium(int index) {
        return buffer.getMedium(index);
    }

    @Override
    public long getInt(int index) {
        return buffer.getInt(index);
    }

    @Override
    public long getLong(int index) {
        return buffer.getLong(index);
    }

    @Override
    public void setByte(int index, long value) {
        buffer.setByte(index, (int) value);
    }

    @Override
    public void setShort(int index, long value) {
        buffer.setShort(index, (int) value);
    }

    @Override
    public void setMedium(int index, long value) {
        buffer.setMedium(index, (int) value);
    }

    @Override
    public void setInt(int index, long value) {
        buffer.setInt(index, (int) value);
    }

    @Override
    public void setLong(int index, long value) {
        buffer.setLong(index, value);
    }
}
