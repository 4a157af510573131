package org.freshet.telemetry;

import java.util.Map;

/**
 * Takes metrics, to pass them on to a library for monitoring. {@link Telemetry#visit} calls it.
 *
 * <p>Names and labels are those of the Prometheus text format. The values of one name come one after the other.
 */
public interface MetricVisitor {
    /**
     * A number that only grows.
     *
     * @param help a sentence about it
     * @param labels by name, in an order that does not change; may be empty
     */
    void counter(String name, String help, Map<String, String> labels, double value);

    /** A number that goes up and down; parameters as those of {@link #counter}. */
    void gauge(String name, String help, Map<String, String> labels, double value);

    /**
     * How often values occurred in ranges; the other parameters as those of {@link #counter}.
     *
     * @param upperBounds of all ranges but the last, which has none, ascending
     * @param counts of each range by itself, one more than bounds
     * @param sum of all values
     */
    void histogram(
            String name, String help, Map<String, String> labels, double[] upperBounds, long[] counts, double sum);
}
