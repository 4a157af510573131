package org.freshet.telemetry;

import java.util.Map;

/** Writes metrics in the Prometheus text format. For use by one thread. */
final class PrometheusText implements MetricVisitor {
    private final StringBuilder text = new StringBuilder(16 * 1024);

    /** The metric being written. */
    private String current = "";

    @Override
    public void counter(String name, String help, Map<String, String> labels, double value) {
        begin(name, help, "counter");
        sample(name, labels, null, value);
    }

    @Override
    public void gauge(String name, String help, Map<String, String> labels, double value) {
        begin(name, help, "gauge");
        sample(name, labels, null, value);
    }

    @Override
    public void histogram(
            String name, String help, Map<String, String> labels, double[] upperBounds, long[] counts, double sum) {
        begin(name, help, "histogram");
        long total = 0;
        for (int i = 0; i < counts.length; i++) {
            total += counts[i];
            sample(name + "_bucket", labels, i < upperBounds.length ? number(upperBounds[i]) : "+Inf", total);
        }
        sample(name + "_sum", labels, null, sum);
        sample(name + "_count", labels, null, total);
    }

    private void begin(String name, String help, String type) {
        if (!name.equals(current)) {
            current = name;
            text.append("# HELP ").append(name).append(' ');
            text.append(help.replace("\\", "\\\\").replace("\n", "\\n")).append('\n');
            text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
        }
    }

    /** @param upperBound null writes no {@code le} label */
    private void sample(String name, Map<String, String> labels, String upperBound, double value) {
        text.append(name);
        String separator = "{";
        for (Map.Entry<String, String> label : labels.entrySet()) {
            label(separator, label.getKey(), label.getValue());
            separator = ",";
        }
        if (upperBound != null) {
            label(separator, "le", upperBound);
            separator = ",";
        }
        text.append(separator.equals(",") ? "} " : " ").append(number(value)).append('\n');
    }

    private void label(String separator, String name, String value) {
        text.append(separator).append(name).append("=\"");
        text.append(value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"));
        text.append('"');
    }

    /** Whole numbers are written without a fraction. */
    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1L << 53
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
