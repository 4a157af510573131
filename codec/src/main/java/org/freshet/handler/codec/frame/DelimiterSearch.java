package org.freshet.handler.codec.frame;

import org.freshet.buffer.ChannelBuffer;

/**
 * Finds where a delimiter ends. Of several, the one that is complete first wins, whatever follows: so the answer does
 * not depend on how the bytes arrive. Of those that end at the same byte, the longest wins, which makes the frame before
 * it the shortest.
 *
 * <p>Immutable, and safe for any thread.
 */
final class DelimiterSearch {
    private static final int SEVERAL = -1;

    private final byte[][] delimiters;
    private final int maxLength;

    /** The byte with which all delimiters end, or {@link #SEVERAL}. */
    private final int commonLastByte;

    /** Whether some delimiter ends with the byte of this (unsigned) value; null, for connections are many, unless several do. */
    private final boolean[] lastBytes;

    /** @param delimiters of one byte or more each, longest first */
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
     * @param start the first byte that may belong to a delimiter
     * @param from the first byte that may end one: no delimiter ends before
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

    /** The length of the longest delimiter that ends before {@code end}, or 0 if there is none. */
    int lengthEndingAt(ChannelBuffer buffer, int start, int end) {
        for (byte[] delimiter : delimiters) {
            if (end - start >= delimiter.length
                    && matches(buffer, end - delimiter.length, delimiter, delimiter.length)) {
                return delimiter.length;
            }
        }
        return 0;
    }

    /** How many of the last bytes before {@code end} may be the beginning of a delimiter, at most. */
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
        if (from >= to) {
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
