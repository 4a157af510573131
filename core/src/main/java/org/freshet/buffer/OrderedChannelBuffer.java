package org.freshet.buffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A view of the whole of another buffer that reads and writes numbers in the opposite byte order, with its own indices.
 * Used when the memory cannot be accessed in that order directly: each number is swapped.
 */
final class OrderedChannelBuffer extends ViewChannelBuffer {
    private final ByteOrder order;

    /** @param buffer in the order opposite to {@code order} */
    OrderedChannelBuffer(ChannelBuffer buffer, ByteOrder order) {
        super(buffer, 0, OPEN);
        this.order = order;
        setIndex(buffer.readerIndex(), buffer.writerIndex());
    }

    @Override
    public ByteOrder order() {
        return order;
    }

    @Override
    public short getShort(int index) {
        return Short.reverseBytes(super.getShort(index));
    }

    @Override
    public int getUnsignedMedium(int index) {
        return ChannelBuffers.swapMedium(super.getUnsignedMedium(index));
    }

    @Override
    public int getInt(int index) {
        return Integer.reverseBytes(super.getInt(index));
    }

    @Override
    public long getLong(int index) {
        return Long.reverseBytes(super.getLong(index));
    }

    @Override
    public void setShort(int index, int value) {
        super.setShort(index, Short.reverseBytes((short) value));
    }

    @Override
    public void setMedium(int index, int value) {
        super.setMedium(index, ChannelBuffers.swapMedium(value));
    }

    @Override
    public void setInt(int index, int value) {
        super.setInt(index, Integer.reverseBytes(value));
    }

    @Override
    public void setLong(int index, long value) {
        super.setLong(index, Long.reverseBytes(value));
    }

    @Override
    public ChannelBuffer duplicate() {
        ChannelBuffer duplicate = new OrderedChannelBuffer(unwrap(), order);
        duplicate.setIndex(readerIndex(), writerIndex());
        return duplicate;
    }

    @Override
    public ChannelBuffer slice(int index, int length) {
        return ChannelBuffers.ordered(super.slice(index, length), order);
    }

    @Override
    public ChannelBuffer copy(int index, int length) {
        return ChannelBuffers.ordered(super.copy(index, length), order);
    }

    @Override
    public ByteBuffer toByteBuffer(int index, int length) {
        return super.toByteBuffer(index, length).order(order);
    }

    @Override
    public ByteBuffer[] toByteBuffers(int index, int length) {
        ByteBuffer[] pieces = super.toByteBuffers(index, length);
        for (ByteBuffer piece : pieces) {
            piece.order(order);
        }
        return pieces;
    }
}
