package org.freshet.telemetry;

import java.util.Map;

/**
 * Receives metrics, to pass them on to a monitoring library. {@link Telemetry#visit} calls it.
 *
 * <p>Names and labels follow the Prometheus text format. All values of one name are visited consecutively.
 */
public interface MetricVisitor {
    /**
     * Visits a number that only grows.
     *
     * @param help one sentence of description
     * @param labels by name, in a fixed order; may be empty
     */
    void counter(String name, String help, Map<String, String> labels, double value);

    /** Visits a number that goes up and down. The parameters are those of {@link #counter}. */
    void gauge(String name, String help, Map<String, String> labels, double value);

    /**
     * Visits a distribution: how often values fell into each range. The other parameters are those of {@link #counter}.
     *
     * @param upperBounds in ascending order, one for each range but the last, which has no upper bound
     * @param counts one for each range, not cumulative: one more than there are bounds
     * @param sum the sum of all values
     */
    void histogram(
            String name, String help, Map<String, String> labels, double[] upperBounds, long[] counts, double sum);
}
