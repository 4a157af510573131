package org.freshet.handler.codec.http;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/**
 * Finds the first byte that is not allowed in a target, a value or a token. This way, finding the end of an element and
 * checking it take only one pass. Each step looks at eight bytes.
 *
 * <p>Stateless; any thread.
 */
final class HeadScan {
    private static final VarHandle LONG_LE =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long EACH_LOW_BIT = 0x0101_0101_0101_0101L;
    private static final long EACH_HIGH_BIT = 0x8080_8080_8080_8080L;

    /** Added to a 7-bit byte, sets its high bit unless the byte is a control character. */
    private static final long UNLESS_CONTROL = (0x80 - ' ') * EACH_LOW_BIT;

    private static final long UNLESS_BLANK_OR_CONTROL = (0x80 - '!') * EACH_LOW_BIT;

    private HeadScan() {}

    /** The index of the first control other than HT from {@code at} on, or {@code to}. */
    static int endOfValue(byte[] array, int at, int to) {
        int i = at;
        while (i < to) {
            i = firstControl(array, i, to);
            if (i == to || array[i] != '\t') {
                return i;
            }
            i++;
        }
        return to;
    }

    private static int firstControl(byte[] array, int from, int to) {
        int at = from;
        for (; at <= to - 2 * Long.BYTES; at += 2 * Long.BYTES) {
            long first = belowOrDelete((long) LONG_LE.get(array, at), UNLESS_CONTROL);
            long second = belowOrDelete((long) LONG_LE.get(array, at + Long.BYTES), UNLESS_CONTROL);
            if ((first | second) != 0) {
                return first != 0 ? at + firstHit(first) : at + Long.BYTES + firstHit(second);
            }
        }
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            long hits = belowOrDelete((long) LONG_LE.get(array, at), UNLESS_CONTROL);
            if (hits != 0) {
                return at + firstHit(hits);
            }
        }
        while (at < to && (array[at] >= ' ' && array[at] != 0x7f || array[at] < 0)) {
            at++;
        }
        return at;
    }

    /** The index of the first blank or control from {@code from} on, or {@code to}. */
    static int endOfTarget(byte[] array, int from, int to) {
        int at = from;
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            long hits = belowOrDelete((long) LONG_LE.get(array, at), UNLESS_BLANK_OR_CONTROL);
            if (hits != 0) {
                return at + firstHit(hits);
            }
        }
        while (at < to && (array[at] > ' ' && array[at] != 0x7f || array[at] < 0)) {
            at++;
        }
        return at;
    }

    /** The index of the first byte that is not a tchar from {@code at} on, or {@code to}. */
    static int endOfToken(byte[] array, int from, int to) {
        int at = from;
        while (at < to && HeaderSyntax.isTokenChar(array[at] & 0xff)) {
            at++;
        }
        return at;
    }

    static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    /** The end of the text after removing the blanks before {@code to}. */
    static int trimmedEnd(byte[] array, int from, int to) {
        int end = to;
        while (end > from && isBlank(array[end - 1])) {
            end--;
        }
        return end;
    }

    /** The eight bytes starting at {@code at}; the first one is the lowest. */
    static long word(byte[] array, int at) {
        return (long) LONG_LE.get(array, at);
    }

    /** Up to eight ASCII characters in the form that {@link #word} returns. */
    static long wordOf(String text) {
        long word = 0;
        for (int i = text.length() - 1; i >= 0; i--) {
            word = word << Byte.SIZE | text.charAt(i);
        }
        return word;
    }

    /**
     * Sets the high bit of each byte that is too small according to {@code unless}, and of each DEL; never of bytes
     * from 0x80 on. Adding to seven bits never carries into the next byte.
     */
    private static long belowOrDelete(long word, long unless) {
        long low = word & ~EACH_HIGH_BIT;
        return ~(low + unless & ~(low + EACH_LOW_BIT) | word) & EACH_HIGH_BIT;
    }

    private static int firstHit(long hits) {
        return Long.numberOfTrailingZeros(hits) / Byte.SIZE;
    }
}
