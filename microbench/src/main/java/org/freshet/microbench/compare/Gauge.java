package org.freshet.microbench.compare;

import java.util.List;
import java.util.Map;
import org.freshet.microbench.compare.load.Outcome;
import org.freshet.microbench.compare.report.Metric;
import org.freshet.microbench.compare.server.Usage;

/**
 * Computes values from the results of a measurement.
 *
 * @param metrics the metrics it has values for; ratios are computed for the first
 */
record Gauge<G>(List<Metric> metrics, Reading<G> reading) {
    /** Computes the value of each metric. */
    @FunctionalInterface
    interface Reading<G> {
        /**
         * Computes the values from the outcome of the last run of {@code generator} and the server's usage during it.
         */
        Map<Metric, Double> of(Outcome outcome, Usage server, G generator);
    }

    <H extends G> Map<Metric, Double> read(Subject.Measured<H> measured) {
        return reading.of(measured.outcome(), measured.server(), measured.generator());
    }
}
