package org.freshet.microbench.compare.load;

import org.HdrHistogram.Histogram;

/**
 * The outcome of one run of a {@link Generator}.
 *
 * @param messages the number that came back or, with one sender and many receivers, were delivered
 * @param ownCpuNanos processor time of the generator's thread
 * @param latencyNanos latencies of the messages, a copy
 */
public record Outcome(long messages, long elapsedNanos, long ownCpuNanos, Histogram latencyNanos) {
    public double perSecond() {
        return messages * 1e9 / elapsedNanos;
    }

    /** Returns the share of the elapsed time that the generator's thread was on a processor, 0 to 1. */
    public double ownCpuShare() {
        return (double) ownCpuNanos / elapsedNanos;
    }

    /** Returns the total of this run and the one {@code before}; the latencies are this one's. */
    public Outcome after(Outcome before) {
        return new Outcome(
                messages, before.elapsedNanos + elapsedNanos, before.ownCpuNanos + ownCpuNanos, latencyNanos);
    }
}
