package org.freshet.handler.codec.http.multipart;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Finds where the data of a part ends: CR LF, two hyphens, the boundary, and behind it two more hyphens, or blanks and a line
 * end. Data may be handed on at once, up to where a delimiter may have begun.
 *
 * <p>Most bytes are never looked at: where a delimiter would end with a byte that none holds, none begins in its whole length.
 * Linear for any input, however it is cut: a boundary holds no CR, so the search goes on behind whatever was compared in
 * vain. Across pieces only the number of bytes that were compared is kept, and the blanks behind a boundary.
 *
 * <p>Not for several threads at once.
 */
final class BoundaryScanner {
    /** What ends the data. */
    enum Found {
        NOTHING,
        DELIMITER,
        CLOSE_DELIMITER
    }

    private enum Verdict {
        OPEN,
        REFUTED,
        DELIMITER,
        CLOSE_DELIMITER
    }

    private static final VarHandle LONG_LE =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long EACH_LOW_BIT = 0x0101_0101_0101_0101L;
    private static final long EACH_HIGH_BIT = 0x8080_8080_8080_8080L;
    private static final long CRS = '\r' * EACH_LOW_BIT;

    /** Blanks behind a boundary; nobody should send one, and some do. */
    private static final int MAX_PADDING = 64;

    private static final byte[] NOTHING = {};

    private final byte[] delimiter;

    /**
     * By the byte where a delimiter would end: how much farther on the next one may end. 0 for a delimiter's last byte, at most
     * {@link #maxSkip}.
     */
    private final byte[] skips = new byte[256];

    private final int maxSkip;

    /** How much farther on the next one may end if the last byte is right and the first is not. */
    private final int skipOfLast;

    /** Bytes of the delimiter that are taken as sent before the first: the line end before it may be that of a head. */
    private int implied;

    /** Bytes of the delimiter that were compared so far, implied ones included. */
    private int matched;

    /** What stands behind the delimiter so far. */
    private final byte[] tail = new byte[MAX_PADDING + 1];

    private int tailLength;
    private Verdict verdict;

    // What the last scan found.
    private byte[] carried = NOTHING;
    private int dataEnd;
    private int next;

    BoundaryScanner(String boundary) {
        delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
        maxSkip = Math.min(delimiter.length, Byte.MAX_VALUE);
        Arrays.fill(skips, (byte) maxSkip);
        int last = delimiter.length - 1;
        for (int i = 0; i < last; i++) {
            skips[delimiter[i] & 0xff] = (byte) Math.min(last - i, maxSkip);
        }
        skipOfLast = skips[delimiter[last] & 0xff];
        skips[delimiter[last] & 0xff] = 0;
        begin();
    }

    /** Starts where a delimiter need not have a line end of its own before it. */
    void begin() {
        reset();
        implied = 2;
        matched = 2;
    }

    private void reset() {
        implied = 0;
        matched = 0;
        tailLength = 0;
    }

    /** Looks at a piece. What it says about it holds until the next one. */
    Found scan(byte[] array, int from, int to) {
        carried = NOTHING;
        int at = from;
        if (matched > 0) {
            int heldMatched = matched;
            int heldTail = tailLength;
            at = compare(array, at, to);
            if (verdict != Verdict.REFUTED) {
                return concluded(from, at);
            }
            carried = held(heldMatched, heldTail);
            reset();
        }
        while ((at = indexOfCandidate(array, at, to)) < to) {
            int start = at;
            matched = 1;
            at = compare(array, at + 1, to);
            if (verdict != Verdict.REFUTED) {
                return concluded(start, at);
            }
            reset();
        }
        dataEnd = to;
        next = to;
        return Found.NOTHING;
    }

    private Found concluded(int dataEnd, int next) {
        this.dataEnd = dataEnd;
        this.next = next;
        switch (verdict) {
            case DELIMITER:
                reset();
                return Found.DELIMITER;
            case CLOSE_DELIMITER:
                reset();
                return Found.CLOSE_DELIMITER;
            default:
                return Found.NOTHING;
        }
    }

    private byte[] held(int matched, int tailLength) {
        int length = matched - implied;
        byte[] held = Arrays.copyOf(Arrays.copyOfRange(delimiter, implied, matched), length + tailLength);
        System.arraycopy(tail, 0, held, length, tailLength);
        return held;
    }

    /** Compares on; returns the index of the first byte that it did not take, and sets the verdict. */
    private int compare(byte[] array, int from, int to) {
        int at = from;
        while (matched < delimiter.length) {
            if (at == to) {
                verdict = Verdict.OPEN;
                return at;
            }
            if (array[at] != delimiter[matched]) {
                verdict = Verdict.REFUTED;
                return at;
            }
            matched++;
            at++;
        }
        return compareTail(array, at, to);
    }

    private int compareTail(byte[] array, int from, int to) {
        for (int at = from; at < to; at++) {
            byte b = array[at];
            byte previous = tailLength == 0 ? 0 : tail[tailLength - 1];
            if (previous == '\r' || previous == '-') {
                boolean end = previous == '\r' ? b == '\n' : b == '-';
                verdict = !end ? Verdict.REFUTED : b == '-' ? Verdict.CLOSE_DELIMITER : Verdict.DELIMITER;
                return end ? at + 1 : at;
            }
            boolean blank = (b == ' ' || b == '\t') && tailLength < MAX_PADDING;
            if (b != '\r' && !blank && (b != '-' || tailLength > 0)) {
                verdict = Verdict.REFUTED;
                return at;
            }
            tail[tailLength++] = b;
        }
        verdict = Verdict.OPEN;
        return to;
    }

    /** Bytes of earlier pieces that proved to be data; they precede those of the last piece. */
    byte[] carried() {
        return carried;
    }

    /** Where the data ends in the last piece. */
    int dataEnd() {
        return dataEnd;
    }

    /** Behind what was looked at in the last piece. */
    int next() {
        return next;
    }

    /** Whether a delimiter was the last thing sent, but for the line end behind it. */
    boolean endsWithDelimiter() {
        return matched == delimiter.length && (tailLength == 0 || tail[tailLength - 1] == '\r');
    }

    /** The first index from {@code from} on where a delimiter may begin; all of one, unless the piece ends before. */
    private int indexOfCandidate(byte[] array, int from, int to) {
        int last = delimiter.length - 1;
        int limit = to - last;
        int most = maxSkip;
        int at = from;
        while (at < limit) {
            int skip = skips[array[at + last] & 0xff];
            if (skip == most) { // apart, since a branch that is foreseen need not wait for the byte
                at += most;
            } else if (skip > 0) {
                at += skip;
            } else if (array[at] == '\r') {
                return at;
            } else {
                at += skipOfLast;
            }
        }
        return indexOfCr(array, at, to);
    }

    private static int indexOfCr(byte[] array, int from, int to) {
        int at = from;
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            long difference = (long) LONG_LE.get(array, at) ^ CRS;
            long hits = difference - EACH_LOW_BIT & ~difference & EACH_HIGH_BIT;
            if (hits != 0) {
                return at + Long.numberOfTrailingZeros(hits) / Byte.SIZE;
            }
        }
        while (at < to && array[at] != '\r') {
            at++;
        }
        return at;
    }
}
