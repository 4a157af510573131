package org.freshet.microbench.compare.load;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/** Measures one run from its making on: time, the thread's processor time, and latencies. Belongs to the thread that made it. */
final class Stopwatch {
    private static final long LONGEST_LATENCY_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int DIGITS = 3;

    private final Histogram latencyNanos = new Histogram(LONGEST_LATENCY_NANOS, DIGITS);
    private final long startNanos = System.nanoTime();
    private final long startCpuNanos = ownCpuNanos();

    /** Something that began at {@code sinceNanos} has ended now. */
    void lap(long sinceNanos) {
        record(System.nanoTime() - sinceNanos);
    }

    /** Something took {@code nanos}; what is longer than a minute counts as one. */
    void record(long nanos) {
        latencyNanos.recordValue(Math.min(nanos, LONGEST_LATENCY_NANOS));
    }

    long elapsedNanos() {
        return System.nanoTime() - startNanos;
    }

    /** What was done until now. */
    Outcome outcome(long messages) {
        return new Outcome(messages, elapsedNanos(), ownCpuNanos() - startCpuNanos, latencyNanos.copy());
    }

    /** The processor time of the calling thread. */
    static long ownCpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
