package org.freshet.handler.codec.frame;

import org.freshet.buffer.ChannelBuffer;

/**
 * Finds the end of a delimiter. Of several delimiters, the one completed first wins, whatever follows, so the result
 * does not depend on how the bytes arrive. Of those that end at the same byte, the longest wins, which makes the frame
 * the shortest.
 *
 * <p>Immutable; any thread.
 */
final class DelimiterSearch {
    private static final int SEVERAL = -1;

    private final byte[][] delimiters;
    private final int maxLength;

    /** The byte with which all delimiters end, or {@link #SEVERAL}. */
    private final int commonLastByte;

    /**
     * Whether some delimiter ends with the byte of this (unsigned) value. Null unless delimiters end with different
     * bytes, to save memory per connection.
     */
    private final boolean[] lastBytes;

    /** @param delimiters one byte or more each, longest first */
    DelimiterSearch(byte[]... delimiters) {
        this.delimiters = delimiters;
        maxLength = delimiters[0].length;
        int common = lastByte(delimiters[0]);
        for (byte[] delimiter : delimiters) {
            common = lastByte(delimiter) == common ? common : SEVERAL;
        }
        commonLastByte = common;
        lastBytes = common == SEVERAL ? lastBytes(delimiters) : null;
    }

    private static boolean[] lastBytes(byte[][] delimiters) {
        boolean[] lastBytes = new boolean[256];
        for (byte[] delimiter : delimiters) {
            lastBytes[lastByte(delimiter)] = true;
        }
        return lastBytes;
    }

    private static int lastByte(byte[] delimiter) {
        return delimiter[delimiter.length - 1] & 0xFF;
    }

    int maxLength() {
        return maxLength;
    }

    /**
     * Finds the first delimiter.
     *
     * @param start the first byte that may belong to a delimiter
     * @param from the first byte that may end one: no delimiter ends before it
     * @return the index after the delimiter, or -1 if none ends before {@code to}
     */
    int indexAfter(ChannelBuffer buffer, int start, int from, int to) {
        for (int i = nextLastByte(buffer, from, to); i >= 0; i = nextLastByte(buffer, i + 1, to)) {
            if (lengthEndingAt(buffer, start, i + 1) > 0) {
                return i + 1;
            }
        }
        return -1;
    }

    /** Returns the length of the longest delimiter that ends right before {@code end}, or 0 if none does. */
    int lengthEndingAt(ChannelBuffer buffer, int start, int end) {
        for (byte[] delimiter : delimiters) {
            if (end - start >= delimiter.length
                    && matches(buffer, end - delimiter.length, delimiter, delimiter.length)) {
                return delimiter.length;
            }
        }
        return 0;
    }

    /** Returns the maximum number of bytes before {@code end} that may be the beginning of a delimiter. */
    int lengthBegunAt(ChannelBuffer buffer, int start, int end) {
        for (int length = Math.min(maxLength - 1, end - start); length > 0; length--) {
            for (byte[] delimiter : delimiters) {
                if (length < delimiter.length && matches(buffer, end - length, delimiter, length)) {
                    return length;
                }
            }
        }
        return 0;
    }

    private static boolean matches(ChannelBuffer buffer, int index, byte[] delimiter, int length) {
        for (int i = 0; i < length; i++) {
            if (buffer.getByte(index + i) != delimiter[i]) {
                return false;
            }
        }
        return true;
    }

    private int nextLastByte(ChannelBuffer buffer, int from, int to) {
        if (from >= to) { // indexOf would search backwards, beyond the writer index
            return -1;
        }
        if (commonLastByte != SEVERAL) {
            return buffer.indexOf(from, to, (byte) commonLastByte);
        }
        for (int i = from; i < to; i++) {
            if (lastBytes[buffer.getByte(i) & 0xFF]) {
                return i;
            }
        }
        return -1;
    }
}
