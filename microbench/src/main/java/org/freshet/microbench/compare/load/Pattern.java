package org.freshet.microbench.compare.load;

import java.nio.ByteBuffer;
import java.util.Random;

/**
 * The endless stream of bytes that a connection sends and expects back, addressed by position.
 *
 * <p>The stream repeats after a prime number of bytes, so that a lost, doubled or swapped message of any usual size
 * shifts it and is seen. One instance belongs to one thread: the views it hands out share one position and limit.
 */
public final class Pattern {
    /** Bytes after which the stream repeats; also the most that one view shows. */
    public static final int PERIOD_BYTES = 65_521;

    private final ByteBuffer twoPeriods = ByteBuffer.allocateDirect(2 * PERIOD_BYTES);

    /** Any two patterns of one {@code seed} are the same. */
    public Pattern(long seed) {
        byte[] period = new byte[PERIOD_BYTES];
        new Random(seed).nextBytes(period);
        twoPeriods.put(period).put(period);
    }

    /** The {@code length} bytes from {@code position} on, capped at one period; valid until the next call. */
    public ByteBuffer view(long position, long length) {
        int start = (int) (position % PERIOD_BYTES);
        int end = start + (int) Math.min(length, PERIOD_BYTES);
        return twoPeriods.limit(end).position(start);
    }

    /** Compares all remaining bytes of {@code received} with the stream; the index of the first other one, or -1. */
    public int mismatch(ByteBuffer received, long position) {
        int start = received.position();
        int end = received.limit();
        for (int from = start; from < end; from += PERIOD_BYTES) {
            int length = Math.min(end - from, PERIOD_BYTES);
            received.limit(from + length).position(from);
            int at = received.mismatch(view(position + from - start, length));
            if (at >= 0) {
                return from - start + at;
            }
        }
        return -1;
    }
}
