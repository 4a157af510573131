package org.freshet.handler.traffic;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The time table of one direction: what passes occupies it for as long as it would take at the wanted rate. What does not
 * wait for its own time is not lost but lengthens the wait of the next, so the long-run rate is right whatever is let pass
 * early. Any thread may call. Times are nanoseconds of a clock that may overflow.
 */
final class Pace {
    /** The longest time, nearly 150 years: the sum of two does not overflow. */
    private static final long MAX_NANOS = Long.MAX_VALUE / 2;

    private final AtomicLong freeAtNanos;

    Pace(long nowNanos) {
        freeAtNanos = new AtomicLong(nowNanos);
    }

    /** 0 if it is free. */
    long waitNanos(long nowNanos) {
        return Math.max(0, freeAtNanos.get() - nowNanos);
    }

    /**
     * Occupies the time of some bytes.
     *
     * @param bytesPerSecond more than 0
     * @param maxNanos what they occupy at most
     * @param creditNanos how far back the time may begin if it was free then: for what is late without its own fault
     * @return until when it is occupied
     */
    long occupy(long bytes, long bytesPerSecond, long maxNanos, long nowNanos, long creditNanos) {
        long nanos = Math.min(nanosOf(bytes, bytesPerSecond), maxNanos);
        long earliest = nowNanos - creditNanos;
        while (true) { // takes no memory, unlike updateAndGet()
            long free = freeAtNanos.get();
            long next = earliest + Math.min(Math.max(0, free - earliest) + nanos, MAX_NANOS);
            if (freeAtNanos.compareAndSet(free, next)) {
                return next;
            }
        }
    }

    /** How long bytes take, at most {@link #MAX_NANOS}. */
    static long nanosOf(long bytes, long bytesPerSecond) {
        double nanos = (double) bytes / bytesPerSecond * TimeUnit.SECONDS.toNanos(1);
        return (long) Math.min(nanos, MAX_NANOS);
    }
}
