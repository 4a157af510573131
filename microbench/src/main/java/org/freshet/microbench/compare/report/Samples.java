package org.freshet.microbench.compare.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The values of one peer in one case: for each metric one a measurement. */
public final class Samples {
    private final Map<Metric, List<Double>> values = new LinkedHashMap<>();

    /** Adds one measurement. */
    public void add(Map<Metric, Double> measurement) {
        measurement.forEach((metric, value) ->
                values.computeIfAbsent(metric, m -> new ArrayList<>()).add(value));
    }

    /** All values, in the order they were measured. */
    public List<Double> all(Metric metric) {
        return values.getOrDefault(metric, List.of());
    }

    /** The middle one of all, or between the two in the middle; NaN when there is none. */
    public double median(Metric metric) {
        return quantile(all(metric), 0.5);
    }

    /** How far the values lie apart: the width of the middle half of them, divided by the median. */
    public double spread(Metric metric) {
        List<Double> all = all(metric);
        return (quantile(all, 0.75) - quantile(all, 0.25)) / quantile(all, 0.5);
    }

    /** The median of {@code this / other}, each taken of the measurements that followed one another. */
    public double ratioTo(Samples other, Metric metric) {
        List<Double> mine = all(metric);
        List<Double> others = other.all(metric);
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < Math.min(mine.size(), others.size()); i++) {
            ratios.add(mine.get(i) / others.get(i));
        }
        return quantile(ratios, 0.5);
    }

    static double quantile(List<Double> values, double fraction) {
        if (values.isEmpty()) {
            return Double.NaN;
        }
        double[] sorted = values.stream().mapToDouble(d -> d).sorted().toArray();
        double place = fraction * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }
}
