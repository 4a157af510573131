package org.freshet.handler.traffic;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The schedule of one direction: bytes occupy it for as long as they would take at the set rate. If something does not
 * wait for its own time, that time is not lost but lengthens the next wait, so the long-run rate is right even if
 * something passes early. Any thread may call it. Times are nanoseconds of a clock that may overflow.
 */
final class Pace {
    /** The longest time, nearly 150 years. The sum of two does not overflow. */
    private static final long MAX_NANOS = Long.MAX_VALUE / 2;

    private final AtomicLong freeAtNanos;

    Pace(long nowNanos) {
        freeAtNanos = new AtomicLong(nowNanos);
    }

    /** Returns 0 if the direction is free. */
    long waitNanos(long nowNanos) {
        return Math.max(0, freeAtNanos.get() - nowNanos);
    }

    /**
     * Occupies the time of some bytes.
     *
     * @param bytesPerSecond more than 0
     * @param maxNanos the longest time they occupy
     * @param creditNanos how far back the time may begin if the direction was free then, to make up for a late timer
     * @return when it becomes free again
     */
    long occupy(long bytes, long bytesPerSecond, long maxNanos, long nowNanos, long creditNanos) {
        long nanos = Math.min(nanosOf(bytes, bytesPerSecond), maxNanos);
        long earliest = nowNanos - creditNanos;
        while (true) { // allocates nothing, unlike updateAndGet()
            long free = freeAtNanos.get();
            long next = earliest + Math.min(Math.max(0, free - earliest) + nanos, MAX_NANOS);
            if (freeAtNanos.compareAndSet(free, next)) {
                return next;
            }
        }
    }

    /** Returns how long bytes take, at most {@link #MAX_NANOS}. */
    static long nanosOf(long bytes, long bytesPerSecond) {
        double nanos = (double) bytes / bytesPerSecond * TimeUnit.SECONDS.toNanos(1);
        return (long) Math.min(nanos, MAX_NANOS);
    }
}
