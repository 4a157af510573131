package org.freshet.microbench.compare.report;

import java.util.Map;

/** A plot of a report, beside the bars of each case's first metric. */
public sealed interface Figure {
    /** The metric that names its file. */
    Metric metric();

    /** Bars of one metric: a group for each case that has it, a colour for each peer. */
    record Bars(Metric metric) implements Figure {}

    /**
     * Lines over a parameter, one for each peer, in two panels: {@code metric} on a logarithmic axis, {@code below} under it.
     *
     * @param places where each case lies on the logarithmic axis across; cases that are not among them are left out
     * @param unasked the case in which the system chose the parameter, drawn as points where {@code chosen} has them
     * @param mark where a vertical line is drawn, with {@code markText} next to it
     */
    record Curves(
            String title,
            Map<String, Integer> places,
            Metric metric,
            Metric below,
            String unasked,
            Metric chosen,
            int mark,
            String markText)
            implements Figure {}
}
