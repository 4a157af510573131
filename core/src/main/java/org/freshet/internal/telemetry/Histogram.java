package org.freshet.internal.telemetry;

/**
 * A histogram of durations, with a bucket for each power of two of nanoseconds. One thread adds; any thread may read, and sees each count
 * only grow.
 */
public final class Histogram {
    /** The last bucket has no upper bound: 2^39 ns are nine minutes. */
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

    /** Bucket n counts durations below 2^n ns and not below half of that. */
    private static int bucketOf(long nanos) {
        return Math.min(BUCKETS - 1, Long.SIZE - Long.numberOfLeadingZeros(nanos));
    }

    /** Returns a copy; each bucket has its own count, not the sum up to it. */
    public long[] counts() {
        return counts.clone();
    }

    public long sumNanos() {
        return sumNanos;
    }

    /** Returns the longest duration so far. */
    public long maxNanos() {
        return maxNanos;
    }
}
