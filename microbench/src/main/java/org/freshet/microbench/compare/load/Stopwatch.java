package org.freshet.microbench.compare.load;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/**
 * Measures one run, starting at its creation: time, the thread's processor time, and latencies. Belongs to the thread
 * that created it.
 */
final class Stopwatch {
    private static final long LONGEST_LATENCY_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int DIGITS = 3;

    private final Histogram latencyNanos = new Histogram(LONGEST_LATENCY_NANOS, DIGITS);
    private final long startNanos = System.nanoTime();
    private final long startCpuNanos = ownCpuNanos();

    /** Records something that began at {@code sinceNanos} and has now ended. */
    void lap(long sinceNanos) {
        record(System.nanoTime() - sinceNanos);
    }

    /** Records a duration; more than a minute counts as one minute. */
    void record(long nanos) {
        latencyNanos.recordValue(Math.min(nanos, LONGEST_LATENCY_NANOS));
    }

    long elapsedNanos() {
        return System.nanoTime() - startNanos;
    }

    /** Returns the outcome so far. */
    Outcome outcome(long messages) {
        return new Outcome(messages, elapsedNanos(), ownCpuNanos() - startCpuNanos, latencyNanos.copy());
    }

    /** Returns the processor time of the calling thread. */
    static long ownCpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
