package org.freshet.buffer;

/**
 * Range checks for every kind of buffer: done once, safe against overflow, with all numbers in the message.
 *
 * <p>Stateless; any thread may call it.
 */
final class Bounds {
    private Bounds() {}

    /** Checks that {@code length} bytes from {@code index} are within {@code capacity}, which must not be negative. */
    static void check(int index, int length, int capacity) {
        if ((index | length) < 0 || index > capacity - length) {
            throw outside(index, length, capacity);
        }
    }

    /** Checks a position in a buffer: from 0 up to and including its capacity. */
    static void checkPosition(int index, int capacity) {
        if (index < 0 || index > capacity) {
            throw outside(index, 0, capacity);
        }
    }

    /**
     * Copies within or between arrays. The arrays check the ranges themselves; only their error message is replaced.
     */
    static void copy(byte[] src, int srcIndex, byte[] dst, int dstIndex, int length) {
        try {
            System.arraycopy(src, srcIndex, dst, dstIndex, length);
        } catch (IndexOutOfBoundsException e) {
            check(srcIndex, length, src.length);
            check(dstIndex, length, dst.length);
            throw e;
        }
    }

    static IndexOutOfBoundsException outside(int index, int length, int capacity) {
        return new IndexOutOfBoundsException(
                "outside the buffer: index " + index + ", length " + length + ", capacity " + capacity);
    }
}
