package org.freshet.internal.telemetry;

/**
 * How often durations of each power of two of nanoseconds have occurred. One thread adds; any thread may read, and sees each count grow
 * only.
 */
public final class Histogram {
    /** The last one has no upper bound: 2^39 ns are nine minutes. */
    public static final int BUCKETS = 40;

    private final long[] counts = new long[BUCKETS];
    private long sumNanos;
    private long maxNanos;

    public void add(long nanos) {
        long counted = Math.max(0, nanos);
        counts[bucketOf(counted)]++;
        sumNanos += counted;
        if (counted > maxNanos) {
            maxNanos = counted;
        }
    }

    /** Bucket n holds what is less than 2^n ns, and not less than the half of that. */
    private static int bucketOf(long nanos) {
        return Math.min(BUCKETS - 1, Long.SIZE - Long.numberOfLeadingZeros(nanos));
    }

    /** A copy: the count of each bucket by itself. */
    public long[] counts() {
        return counts.clone();
    }

    public long sumNanos() {
        return sumNanos;
    }

    /** The longest so far. */
    public long maxNanos() {
        return maxNanos;
    }
}
