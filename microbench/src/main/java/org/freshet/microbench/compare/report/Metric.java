package org.freshet.microbench.compare.report;

/**
 * A measured quantity.
 *
 * @param key its name in JSON, with its unit
 * @param label its name in a table, with its unit
 * @param decimals digits shown after the decimal point
 */
public record Metric(String key, String label, int decimals) {}
