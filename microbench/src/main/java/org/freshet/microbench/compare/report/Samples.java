package org.freshet.microbench.compare.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The values of one peer in one case: for each metric, one per measurement. */
public final class Samples {
    private static final double MAX_CHANCE = 0.05;

    /** The result of comparing two sets of samples. */
    public enum Comparison {
        MORE,
        LESS,
        CANNOT_TELL
    }

    private final Map<Metric, List<Double>> values = new LinkedHashMap<>();

    /** Adds one measurement. */
    public void add(Map<Metric, Double> measurement) {
        measurement.forEach((metric, value) ->
                values.computeIfAbsent(metric, m -> new ArrayList<>()).add(value));
    }

    /** Returns all values, in the order of measurement. */
    public List<Double> all(Metric metric) {
        return values.getOrDefault(metric, List.of());
    }

    /** Returns the median; NaN if there are no values. */
    public double median(Metric metric) {
        return quantile(all(metric), 0.5);
    }

    /** Returns the spread of the values: the interquartile range divided by the median. */
    public double spread(Metric metric) {
        List<Double> all = all(metric);
        return (quantile(all, 0.75) - quantile(all, 0.25)) / quantile(all, 0.5);
    }

    /** Returns the median of {@code this / other}, over pairs of consecutive measurements. */
    public double ratioTo(Samples other, Metric metric) {
        return quantile(ratiosTo(other, metric), 0.5);
    }

    /**
     * Returns whether this is more than {@code other}, less, or indistinguishable. The ratios of consecutive
     * measurements must be on one side so often that chance alone would do that in less than one of twenty cases.
     */
    public Comparison compareTo(Samples other, Metric metric) {
        List<Double> ratios = ratiosTo(other, metric);
        long above = ratios.stream().filter(ratio -> ratio > 1).count();
        long below = ratios.stream().filter(ratio -> ratio < 1).count();
        if (chance(above + below, Math.max(above, below)) >= MAX_CHANCE) {
            return Comparison.CANNOT_TELL;
        }
        return above > below ? Comparison.MORE : Comparison.LESS;
    }

    /** Returns the probability that in {@code tosses} of a coin, either side shows at least {@code heads} times. */
    static double chance(long tosses, long heads) {
        double ways = 1; // to choose k of them
        double sum = 0;
        for (long k = 0; k <= tosses; k++) {
            if (k >= heads) {
                sum += ways;
            }
            ways = ways * (tosses - k) / (k + 1);
        }
        return Math.min(1, 2 * sum / Math.pow(2, tosses));
    }

    private List<Double> ratiosTo(Samples other, Metric metric) {
        List<Double> mine = all(metric);
        List<Double> others = other.all(metric);
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < Math.min(mine.size(), others.size()); i++) {
            ratios.add(mine.get(i) / others.get(i));
        }
        return ratios;
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
