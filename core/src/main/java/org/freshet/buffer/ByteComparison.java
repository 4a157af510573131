package org.freshet.buffer;

import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Equality, order and hash of readable bytes. Only the bytes count, not the kind or byte order of a buffer. Bytes
 * compare as unsigned numbers, and a prefix comes first.
 *
 * <p>Stateless; any thread may call it.
 */
final class ByteComparison {
    /** From this length, a vectorized comparison is worth the call. */
    private static final int MIN_BYTES_FOR_MEMORY = 512;

    private ByteComparison() {}

    static boolean equal(ChannelBuffer a, ChannelBuffer b) {
        int length = a.readableBytes();
        return length == b.readableBytes() && mismatch(a, a.readerIndex(), b, b.readerIndex(), length) < 0;
    }

    static int compare(ChannelBuffer a, ChannelBuffer b) {
        int common = Math.min(a.readableBytes(), b.readableBytes());
        int differsAt = mismatch(a, a.readerIndex(), b, b.readerIndex(), common);
        if (differsAt < 0) {
            return a.readableBytes() - b.readableBytes();
        }
        int fromA = a.getUnsignedByte(a.readerIndex() + differsAt);
        int fromB = b.getUnsignedByte(b.readerIndex() + differsAt);
        return fromA < fromB ? -1 : 1;
    }

    /**
     * The same hash as in Netty 3, so data stored or sharded by it stays where it is. Takes four bytes per step; never
     * 0.
     */
    static int hash(ChannelBuffer buffer) {
        boolean reverse = buffer.order() == ByteOrder.LITTLE_ENDIAN;
        int end = buffer.writerIndex();
        int at = buffer.readerIndex();
        int hash = 1;
        for (; at <= end - Integer.BYTES; at += Integer.BYTES) {
            int word = buffer.getInt(at);
            hash = 31 * hash + (reverse ? Integer.reverseBytes(word) : word);
        }
        for (; at < end; at++) {
            hash = 31 * hash + buffer.getByte(at);
        }
        return hash == 0 ? 1 : hash;
    }

    /** Returns how many of {@code length} bytes agree before the first difference, or -1 if all do. */
    static int mismatch(ChannelBuffer a, int fromA, ChannelBuffer b, int fromB, int length) {
        if (a.hasArray() && b.hasArray()) {
            int inA = a.arrayOffset() + fromA;
            int inB = b.arrayOffset() + fromB;
            return Arrays.mismatch(a.array(), inA, inA + length, b.array(), inB, inB + length);
        }
        return length < MIN_BYTES_FOR_MEMORY
                ? mismatchOfWords(a, fromA, b, fromB, length)
                : mismatchOfMemory(a, fromA, b, fromB, length);
    }

    private static int mismatchOfWords(ChannelBuffer a, int fromA, ChannelBuffer b, int fromB, int length) {
        boolean littleEndian = a.order() == ByteOrder.LITTLE_ENDIAN;
        boolean reverse = a.order() != b.order();
        int done = 0;
        for (; done <= length - Long.BYTES; done += Long.BYTES) {
            long word = b.getLong(fromB + done);
            long difference = a.getLong(fromA + done) ^ (reverse ? Long.reverseBytes(word) : word);
            if (difference != 0) {
                int bits =
                        littleEndian ? Long.numberOfTrailingZeros(difference) : Long.numberOfLeadingZeros(difference);
                return done + bits / Byte.SIZE;
            }
        }
        for (; done < length; done++) {
            if (a.getByte(fromA + done) != b.getByte(fromB + done)) {
                return done;
            }
        }
        return -1;
    }

    /** Unwraps views and composites down to the memory, without a copy. */
    private static int mismatchOfMemory(ChannelBuffer a, int fromA, ChannelBuffer b, int fromB, int length) {
        if (a instanceof ViewChannelBuffer view) {
            return mismatch(view.unwrap(), view.offset() + fromA, b, fromB, length);
        }
        if (a instanceof CompositeChannelBuffer composite) {
            return composite.mismatch(fromA, b, fromB, length);
        }
        if (b instanceof ViewChannelBuffer || b instanceof CompositeChannelBuffer) {
            return mismatchOfMemory(b, fromB, a, fromA, length);
        }
        if (exposesMemory(a) && exposesMemory(b)) {
            return a.toByteBuffer(fromA, length).mismatch(b.toByteBuffer(fromB, length));
        }
        return mismatchOfWords(a, fromA, b, fromB, length);
    }

    private static boolean exposesMemory(ChannelBuffer buffer) {
        return buffer.hasArray()
                || buffer instanceof ByteBufferBackedChannelBuffer
                || buffer instanceof DynamicChannelBuffer;
    }
}
