package org.freshet.buffer;

import static org.freshet.buffer.ArrayViews.INT_BE;
import static org.freshet.buffer.ArrayViews.LONG_BE;
import static org.freshet.buffer.ArrayViews.SHORT_BE;

import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/**
 * A buffer over a byte array that stores numbers with the most significant byte first.
 *
 * <p>The array and its views check ranges themselves, so nothing is checked twice; only their error message is
 * replaced.
 */
public class BigEndianHeapChannelBuffer extends HeapChannelBuffer {
    /**
     * Creates an empty buffer over a new array.
     *
     * @throws IllegalArgumentException if {@code capacity} is negative
     */
    public BigEndianHeapChannelBuffer(int capacity) {
        super(capacity);
    }

    /** Wraps {@code array} without a copy; all of it is readable. */
    public BigEndianHeapChannelBuffer(byte[] array) {
        super(array);
    }

    private BigEndianHeapChannelBuffer(byte[] array, int readerIndex, int writerIndex) {
        super(array, readerIndex, writerIndex);
    }

    @Override
    public ChannelBufferFactory factory() {
        return HeapChannelBufferFactory.getInstance(ByteOrder.BIG_ENDIAN);
    }

    @Override
    public ByteOrder order() {
        return ByteOrder.BIG_ENDIAN;
    }

    @Override
    public short getShort(int index) {
        try {
            return (short) SHORT_BE.get(array, index);
        } catch (IndexOutOfBoundsException e) {
            throw Bounds.outside(index, 2, array.length);
        }
    }

    @Override
    public int getUnsignedMedium(int index) {
        try {
            return (array[index] & 0xff) << 16 | (array[index + 1] & 0xff) << 8 | array[index + 2] & 0xff;
        } catch (IndexOutOfBoundsException e) {
            throw Bounds.outside(index, 3, array.length);
        }
    }

    @Override
    public int getInt(int index) {
        try {
            return (int) INT_BE.get(array, index);
        } catch (IndexOutOfBoundsException e) {
            throw Bounds.outside(index, 4, array.length);
        }
    }

    @Override
    public long getLong(int index) {
        try {
            return (long) LONG_BE.get(array, index);
        } catch (IndexOutOfBoundsException e) {
            throw Bounds.outside(index, 8, array.length);
        }
    }

    @Override
    public void setShort(int index, int value) {
        try {
            SHORT_BE.set(array, index, (short) value);
        } catch (IndexOutOfBoundsException e) {
            throw Bounds.outside(index, 2, array.length);
        }
    }

    @Override
    public void setMedium(int index, int value) {
        try {
            Objects.checkIndex(index, array.length); // writing the last byte first makes it all three bytes or none
            array[index + 2] = (byte) value;
            array[index + 1] = (byte) (value >>> 8);
            array[index] = (byte) (value >>> 16);
        } catch (IndexOutOfBoundsException e) {
            throw Bounds.outside(index, 3, array.length);
        }
    }

    @Override
    public void setInt(int index, int value) {
        try {
            INT_BE.set(array, index, value);
        } catch (IndexOutOfBoundsException e) {
            throw Bounds.outside(index, 4, array.length);
        }
    }

    @Override
    public void setLong(int index, long value) {
        try {
            LONG_BE.set(array, index, value);
        } catch (IndexOutOfBoundsException e) {
            throw Bounds.outside(index, 8, array.length);
        }
    }

    @Override
    public ChannelBuffer duplicate() {
        return new BigEndianHeapChannelBuffer(array, readerIndex(), writerIndex());
    }

    @Override
    public ChannelBuffer copy(int index, int length) {
        Bounds.check(index, length, array.length);
        return new BigEndianHeapChannelBuffer(Arrays.copyOfRange(array, index, index + length));
    }
}
