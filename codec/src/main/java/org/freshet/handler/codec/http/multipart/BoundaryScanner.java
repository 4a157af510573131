package org.freshet.handler.codec.http.multipart;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Finds where the data of a part ends: at CR LF, two hyphens and the boundary, followed by two more hyphens, or by
 * blanks and a line end. Data can be passed on right away, up to where a delimiter may have begun.
 *
 * <p>Most bytes are never looked at: a byte that the delimiter doesn't contain rules out every delimiter that would
 * include it. The cost is linear for any input, however it is split: a boundary contains no CR, so after a failed
 * comparison the search resumes after the compared bytes. Between pieces, only the number of matched bytes and the
 * blanks after a boundary are kept.
 *
 * <p>Not thread-safe.
 */
final class BoundaryScanner {
    /** Says whether and how the data ends. */
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

    /** Maximum number of blanks after a boundary. They should not be there, but some clients send them. */
    private static final int MAX_PADDING = 64;

    private static final byte[] NOTHING = {};

    private final byte[] delimiter;

    /**
     * For each byte where a delimiter would end: the distance to the next possible end. 0 for a delimiter's last byte,
     * otherwise at most {@link #maxSkip}.
     */
    private final byte[] skips = new byte[256];

    private final int maxSkip;

    /** The distance to the next possible end if the last byte matches but the first doesn't. */
    private final int skipOfLast;

    /**
     * Bytes of the delimiter that count as sent before the first byte: its line end may be the one that ends a head.
     */
    private int implied;

    /** Bytes of the delimiter matched so far, including implied ones. */
    private int matched;

    /** The bytes after the delimiter so far. */
    private final byte[] tail = new byte[MAX_PADDING + 1];

    private int tailLength;
    private Verdict verdict;

    // The result of the last scan.
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

    /** Starts at a place where a delimiter needs no line end of its own before it. */
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

    /** Scans a piece. The result is valid until the next scan. */
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

    /** Continues comparing. Returns the index of the first byte not consumed, and sets the verdict. */
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

    /** Bytes of earlier pieces that turned out to be data. They come before the data of the last piece. */
    byte[] carried() {
        return carried;
    }

    /** Where the data in the last piece ends. */
    int dataEnd() {
        return dataEnd;
    }

    /** The index after the bytes consumed from the last piece. */
    int next() {
        return next;
    }

    /** Whether the input ended with a delimiter, except perhaps for the line end after it. */
    boolean endsWithDelimiter() {
        return matched == delimiter.length && (tailLength == 0 || tail[tailLength - 1] == '\r');
    }

    /** The first index from {@code from} on where a delimiter, or one that the piece cuts off, may begin. */
    private int indexOfCandidate(byte[] array, int from, int to) {
        int last = delimiter.length - 1;
        int limit = to - last;
        int most = maxSkip;
        int at = from;
        while (at < limit) {
            int skip = skips[array[at + last] & 0xff];
            if (skip == most) { // a separate branch: when predicted correctly, it doesn't wait for the byte
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
