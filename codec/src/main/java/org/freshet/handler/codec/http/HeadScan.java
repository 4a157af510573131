package org.freshet.handler.codec.http;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/**
 * Finds the first byte that may not stand in a target, a value or a token: looking for the end of an element and checking
 * it are one pass. Eight bytes are looked at in each step.
 *
 * <p>Stateless; any thread.
 */
final class HeadScan {
    private static final VarHandle LONG_LE =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long EACH_LOW_BIT = 0x0101_0101_0101_0101L;
    private static final long EACH_HIGH_BIT = 0x8080_8080_8080_8080L;
    private static final long BLANKS = ' ' * EACH_LOW_BIT;
    private static final long EXCLAMATION_MARKS = '!' * EACH_LOW_BIT;
    private static final long DELETES = 0x7f * EACH_LOW_BIT;

    private HeadScan() {}

    /** The first byte from {@code at} on that is a control other than HT, or {@code to}. */
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
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            long word = (long) LONG_LE.get(array, at);
            long hits = below(word, BLANKS) | equal(word, DELETES);
            if (hits != 0) {
                return at + firstHit(hits);
            }
        }
        while (at < to && (array[at] >= ' ' && array[at] != 0x7f || array[at] < 0)) {
            at++;
        }
        return at;
    }

    /** The first byte from {@code at} on that is a blank or a control, or {@code to}. */
    static int endOfTarget(byte[] array, int from, int to) {
        int at = from;
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            long word = (long) LONG_LE.get(array, at);
            long hits = below(word, EXCLAMATION_MARKS) | equal(word, DELETES);
            if (hits != 0) {
                return at + firstHit(hits);
            }
        }
        while (at < to && (array[at] > ' ' && array[at] != 0x7f || array[at] < 0)) {
            at++;
        }
        return at;
    }

    /** The first byte from {@code at} on that is no tchar, or {@code to}. */
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

    /** Behind the blanks that precede {@code to}. */
    static int trimmedEnd(byte[] array, int from, int to) {
        int end = to;
        while (end > from && isBlank(array[end - 1])) {
            end--;
        }
        return end;
    }

    /** The eight bytes from there on; the first one is the lowest. */
    static long word(byte[] array, int at) {
        return (long) LONG_LE.get(array, at);
    }

    /** Up to eight characters of ASCII as {@link #word} would return them. */
    static long wordOf(String text) {
        long word = 0;
        for (int i = text.length() - 1; i >= 0; i--) {
            word = word << Byte.SIZE | text.charAt(i);
        }
        return word;
    }

    /** Marks the lowest byte that is smaller than the pattern's (higher ones may be marked, too); bytes from 0x80 are not. */
    private static long below(long word, long pattern) {
        return word - pattern & ~word & EACH_HIGH_BIT;
    }

    private static long equal(long word, long pattern) {
        long difference = word ^ pattern;
        return difference - EACH_LOW_BIT & ~difference & EACH_HIGH_BIT;
    }

    private static int firstHit(long hits) {
        return Long.numberOfTrailingZeros(hits) / Byte.SIZE;
    }
}
