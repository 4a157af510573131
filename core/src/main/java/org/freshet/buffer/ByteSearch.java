package org.freshet.buffer;

import java.nio.ByteOrder;
import java.util.Objects;

/**
 * Finds a byte. {@code fromIndex <= toIndex} searches upwards in {@code [fromIndex, toIndex)}; otherwise downwards from
 * {@code fromIndex - 1} to {@code toIndex}. Both ends are clipped to the buffer, so a search never fails.
 *
 * <p>Stateless; any thread may call it.
 */
final class ByteSearch {
    private static final long EACH_LOW_BIT = 0x0101_0101_0101_0101L;
    private static final long EACH_HIGH_BIT = 0x8080_8080_8080_8080L;

    private ByteSearch() {}

    static int indexOf(ChannelBuffer buffer, int fromIndex, int toIndex, byte value) {
        int from = within(buffer, fromIndex);
        int to = within(buffer, toIndex);
        if (from > to) {
            return lastIndexOf(buffer, to, from, value);
        }
        if (!buffer.hasArray()) {
            return firstIndexOf(buffer, from, to, value);
        }
        int offset = buffer.arrayOffset();
        int found = firstIndexOf(buffer.array(), offset + from, offset + to, value);
        return found < 0 ? -1 : found - offset;
    }

    static int indexOf(ChannelBuffer buffer, int fromIndex, int toIndex, ChannelBufferIndexFinder finder) {
        Objects.requireNonNull(finder, "finder");
        if (finder instanceof ByteFinder bytes && bytes.isForOneByte()) {
            return indexOf(buffer, fromIndex, toIndex, bytes.one());
        }
        int from = within(buffer, fromIndex);
        int to = within(buffer, toIndex);
        if (from < to && finder instanceof ByteFinder bytes) {
            return firstIndexOf(buffer, from, to, bytes);
        }
        for (int at = from; at < to; at++) {
            if (finder.find(buffer, at)) {
                return at;
            }
        }
        for (int at = from - 1; at >= to; at--) {
            if (finder.find(buffer, at)) {
                return at;
            }
        }
        return -1;
    }

    private static int within(ChannelBuffer buffer, int index) {
        return Math.max(0, Math.min(index, buffer.capacity()));
    }

    private static int firstIndexOf(byte[] array, int from, int to, byte value) {
        long pattern = pattern(value);
        int at = from;
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            long hits = hits((long) ArrayViews.LONG_LE.get(array, at), pattern);
            if (hits != 0) {
                return at + firstHit(hits);
            }
        }
        for (; at < to; at++) {
            if (array[at] == value) {
                return at;
            }
        }
        return -1;
    }

    private static int firstIndexOf(ChannelBuffer buffer, int from, int to, byte value) {
        boolean reverse = buffer.order() == ByteOrder.BIG_ENDIAN;
        long pattern = pattern(value);
        int at = from;
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            long word = buffer.getLong(at);
            long hits = hits(reverse ? Long.reverseBytes(word) : word, pattern);
            if (hits != 0) {
                return at + firstHit(hits);
            }
        }
        for (; at < to; at++) {
            if (buffer.getByte(at) == value) {
                return at;
            }
        }
        return -1;
    }

    private static int firstIndexOf(ChannelBuffer buffer, int from, int to, ByteFinder finder) {
        boolean reverse = buffer.order() == ByteOrder.BIG_ENDIAN;
        int at = from;
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            long word = buffer.getLong(at);
            long hits = finder.hits(reverse ? Long.reverseBytes(word) : word);
            if (hits != 0) {
                return at + firstHit(hits);
            }
        }
        for (; at < to; at++) {
            if (finder.finds(buffer.getByte(at))) {
                return at;
            }
        }
        return -1;
    }

    private static int lastIndexOf(ChannelBuffer buffer, int from, int to, byte value) {
        for (int at = to - 1; at >= from; at--) {
            if (buffer.getByte(at) == value) {
                return at;
            }
        }
        return -1;
    }

    /** Returns the value repeated in all eight bytes. */
    private static long pattern(byte value) {
        return (value & 0xff) * EACH_LOW_BIT;
    }

    /** Sets the high bit of the lowest byte that equals the pattern; higher bytes may be false hits. */
    private static long hits(long word, long pattern) {
        long difference = word ^ pattern;
        return difference - EACH_LOW_BIT & ~difference & EACH_HIGH_BIT;
    }

    private static int firstHit(long hits) {
        return Long.numberOfTrailingZeros(hits) / Byte.SIZE;
    }
}
