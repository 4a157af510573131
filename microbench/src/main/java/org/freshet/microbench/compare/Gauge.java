package org.freshet.microbench.compare;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.freshet.microbench.compare.report.Metric;

/**
 * Makes values of what a measurement found.
 *
 * @param metrics what there is a value of; the first is what ratios are taken of
 */
record Gauge<G>(List<Metric> metrics, Function<Subject.Measured<? extends G>, Map<Metric, Double>> values) {}
