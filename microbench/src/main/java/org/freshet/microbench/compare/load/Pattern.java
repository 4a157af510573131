package org.freshet.microbench.compare.load;

import java.nio.ByteBuffer;
import java.util.Random;

/**
 * The endless stream of bytes that a connection sends and expects back, addressed by position.
 *
 * <p>The stream repeats after a prime number of bytes or lines, so a lost, duplicated or swapped message of any usual
 * size shifts it and is noticed. One instance belongs to one thread: the views it returns share one position and limit.
 */
public final class Pattern {
    private static final int PRIME_BYTES = 65_521;
    private static final int PRIME_LINES = 1021;

    private final int periodBytes;

    private final ByteBuffer twoPeriods;

    /** Two patterns with the same {@code seed} are the same. */
    public Pattern(long seed) {
        this(randomBytes(seed, PRIME_BYTES));
    }

    private Pattern(byte[] period) {
        periodBytes = period.length;
        twoPeriods = ByteBuffer.allocateDirect(2 * periodBytes).put(period).put(period);
    }

    /** Returns a stream of printable lines of {@code lineBytes}, including the line feed. */
    public static Pattern ofLines(long seed, int lineBytes) {
        byte[] period = randomBytes(seed, lineBytes * PRIME_LINES);
        for (int i = 0; i < period.length; i++) {
            period[i] = (byte) ((i + 1) % lineBytes == 0 ? '\n' : ' ' + (period[i] & 0x3f));
        }
        return new Pattern(period);
    }

    /** Returns a stream that repeats one message; a lost or duplicated one only shows in the number of messages. */
    static Pattern repeating(byte[] message) {
        byte[] period = new byte[message.length * Math.max(1, PRIME_BYTES / message.length)];
        for (int i = 0; i < period.length; i += message.length) {
            System.arraycopy(message, 0, period, i, message.length);
        }
        return new Pattern(period);
    }

    /** Returns the number of bytes after which the stream repeats; also the maximum length of a view. */
    int periodBytes() {
        return periodBytes;
    }

    private static byte[] randomBytes(long seed, int count) {
        byte[] bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    /** Returns the {@code length} bytes starting at {@code position}, at most one period; valid until the next call. */
    public ByteBuffer view(long position, long length) {
        int start = (int) (position % periodBytes);
        int end = start + (int) Math.min(length, periodBytes);
        return twoPeriods.limit(end).position(start);
    }

    /**
     * Compares all remaining bytes of {@code received} with the stream; returns the index of the first difference, or
     * -1.
     */
    public int mismatch(ByteBuffer received, long position) {
        int start = received.position();
        int end = received.limit();
        for (int from = start; from < end; from += periodBytes) {
            int length = Math.min(end - from, periodBytes);
            received.limit(from + length).position(from);
            int at = received.mismatch(view(position + from - start, length));
            if (at >= 0) {
                return from - start + at;
            }
        }
        return -1;
    }
}
