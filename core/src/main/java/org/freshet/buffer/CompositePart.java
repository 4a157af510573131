package org.freshet.buffer;

import static org.freshet.buffer.ArrayViews.INT_BE;
import static org.freshet.buffer.ArrayViews.INT_LE;
import static org.freshet.buffer.ArrayViews.LONG_BE;
import static org.freshet.buffer.ArrayViews.LONG_LE;
import static org.freshet.buffer.ArrayViews.SHORT_BE;
import static org.freshet.buffer.ArrayViews.SHORT_LE;

import java.nio.ByteOrder;

/**
 * A component of a composite buffer and its range there. All indices are the composite's.
 *
 * <p>If the component's array never changes, it is accessed directly, bypassing any views. A dynamic buffer's array
 * does change.
 *
 * <p>Immutable, so it may be published through a plain field.
 */
final class CompositePart {
    final ChannelBuffer buffer;
    /** The number of the component, from 0. */
    final int number;
    /** The index of its first byte. */
    final int start;
    /** The index after its last byte. */
    final int end;

    /** The array with the bytes, or null if it has no array or one that can change. */
    private final byte[] array;
    /** Added to an index of the composite, gives an index of the array. */
    private final int shift;

    private final boolean bigEndian;

    CompositePart(ChannelBuffer buffer, int number, int start, int end) {
        this.buffer = buffer;
        this.number = number;
        this.start = start;
        this.end = end;
        array = hasFixedArray(buffer) ? buffer.array() : null;
        shift = array == null ? 0 : buffer.arrayOffset() - start;
        bigEndian = buffer.order() == ByteOrder.BIG_ENDIAN;
    }

    private static boolean hasFixedArray(ChannelBuffer buffer) {
        ChannelBuffer innermost = buffer;
        while (innermost instanceof ViewChannelBuffer view) {
            innermost = view.unwrap();
        }
        boolean fixed = innermost instanceof HeapChannelBuffer || innermost instanceof ByteBufferBackedChannelBuffer;
        return fixed && buffer.hasArray();
    }

    /** Returns whether all {@code size} bytes from {@code index} are in this component. */
    boolean holds(int index, int size) {
        return start <= index && index <= end - size;
    }

    byte getByte(int index) {
        return array != null ? array[index + shift] : buffer.getByte(index - start);
    }

    short getShort(int index) {
        if (array == null) {
            return buffer.getShort(index - start);
        }
        return bigEndian ? (short) SHORT_BE.get(array, index + shift) : (short) SHORT_LE.get(array, index + shift);
    }

    int getUnsignedMedium(int index) {
        return buffer.getUnsignedMedium(index - start);
    }

    int getInt(int index) {
        if (array == null) {
            return buffer.getInt(index - start);
        }
        return bigEndian ? (int) INT_BE.get(array, index + shift) : (int) INT_LE.get(array, index + shift);
    }

    long getLong(int index) {
        if (array == null) {
            return buffer.getLong(index - start);
        }
        return bigEndian ? (long) LONG_BE.get(array, index + shift) : (long) LONG_LE.get(array, index + shift);
    }

    void setByte(int index, int value) {
        if (array != null) {
            array[index + shift] = (byte) value;
        } else {
            buffer.setByte(index - start, value);
        }
    }

    void setShort(int index, int value) {
        if (array == null) {
            buffer.setShort(index - start, value);
        } else if (bigEndian) {
            SHORT_BE.set(array, index + shift, (short) value);
        } else {
            SHORT_LE.set(array, index + shift, (short) value);
        }
    }

    void setMedium(int index, int value) {
        buffer.setMedium(index - start, value);
    }

    void setInt(int index, int value) {
        if (array == null) {
            buffer.setInt(index - start, value);
        } else if (bigEndian) {
            INT_BE.set(array, index + shift, value);
        } else {
            INT_LE.set(array, index + shift, value);
        }
    }

    void setLong(int index, long value) {
        if (array == null) {
            buffer.setLong(index - start, value);
        } else if (bigEndian) {
            LONG_BE.set(array, index + shift, value);
        } else {
            LONG_LE.set(array, index + shift, value);
        }
    }
}
