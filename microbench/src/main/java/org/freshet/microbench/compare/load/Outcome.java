package org.freshet.microbench.compare.load;

import org.HdrHistogram.Histogram;

/**
 * What one run of a {@link Generator} did.
 *
 * @param messages how many came back or, where one goes to many, were delivered
 * @param ownCpuNanos processor time of the generator's thread
 * @param latencyNanos how long messages took, a copy
 */
public record Outcome(long messages, long elapsedNanos, long ownCpuNanos, Histogram latencyNanos) {
    public double perSecond() {
        return messages * 1e9 / elapsedNanos;
    }

    /** The share of the wall time that the generator's thread was on a processor, 0 to 1. */
    public double ownCpuShare() {
        return (double) ownCpuNanos / elapsedNanos;
    }

    /** This run together with the one {@code before}; the latencies are this one's. */
    public Outcome after(Outcome before) {
        return new Outcome(
                messages, before.elapsedNanos + elapsedNanos, before.ownCpuNanos + ownCpuNanos, latencyNanos);
    }
}
