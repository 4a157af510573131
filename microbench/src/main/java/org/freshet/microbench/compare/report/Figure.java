package org.freshet.microbench.compare.report;

import java.util.Map;

/** A plot of a report, besides the bars of each case's first metric. */
public sealed interface Figure {
    /** The metric in its file name. */
    Metric metric();

    /** Bars of one metric: a group for each case that has it, a colour for each peer. */
    record Bars(Metric metric) implements Figure {}

    /**
     * Lines over a parameter, one per peer, in two panels: {@code metric} on a logarithmic axis, {@code below} under
     * it.
     *
     * @param places the position of each case on the logarithmic horizontal axis; other cases are left out
     * @param unasked the case in which the system chose the parameter, drawn as points at the values of {@code chosen}
     * @param mark position of a vertical line, with {@code markText} next to it
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
