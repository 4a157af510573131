package org.freshet.microbench.compare.report;

import java.util.Map;

/** A plot of a report, beside the bars of each case's first metric. */
public sealed interface Figure {
    /** The metric that names its file. */
    Metric metric();

    /** Bars of one metric: a group for each case that has it, a colour for each peer. */
    record Bars(Metric metric) implements Figure {}

    /**
     * Lines over a parameter, for each peer two: {@code metric} to the left axis, {@code right} to the right one.
     *
     * @param places where each case lies on the logarithmic axis across; cases that are not among them are left out
     */
    record Curves(String title, Map<String, Integer> places, Metric metric, Metric right) implements Figure {}
}
