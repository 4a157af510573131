package org.freshet.microbench.compare;

import java.util.List;
import java.util.Map;
import org.freshet.microbench.compare.load.Outcome;
import org.freshet.microbench.compare.report.Metric;
import org.freshet.microbench.compare.server.Usage;

/**
 * Makes values of what a measurement found.
 *
 * @param metrics what there is a value of; the first is what ratios are taken of
 */
record Gauge<G>(List<Metric> metrics, Reading<G> reading) {
    /** The value of each metric. */
    @FunctionalInterface
    interface Reading<G> {
        /** Reads what the last run of {@code generator} had as its outcome, and what the server used meanwhile. */
        Map<Metric, Double> of(Outcome outcome, Usage server, G generator);
    }

    <H extends G> Map<Metric, Double> read(Subject.Measured<H> measured) {
        return reading.of(measured.outcome(), measured.server(), measured.generator());
    }
}
