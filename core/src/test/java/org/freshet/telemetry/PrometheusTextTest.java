package org.freshet.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The text format, character by character. */
class PrometheusTextTest {
    private final PrometheusText text = new PrometheusText();

    @Test
    void shouldWriteHelpAndTypeOncePerMetric() {
        text.counter("c_total", "How many.", Map.of("loop", "a"), 1);
        text.counter("c_total", "How many.", Map.of("loop", "b"), 2.5);
        text.gauge("g", "How much.", Map.of(), -3);
        assertEquals("""
                # HELP c_total How many.
                # TYPE c_total counter
                c_total{loop="a"} 1
                c_total{loop="b"} 2.5
                # HELP g How much.
                # TYPE g gauge
                g -3
                """, text.toString());
    }

    @Test
    void shouldEscapeLabelsAndHelp() {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("a", "back\\slash \"quoted\"\nline");
        labels.put("b", "");
        text.gauge("g", "back\\slash \"quoted\"\nline", labels, 0);
        assertEquals("""
                # HELP g back\\\\slash "quoted"\\nline
                # TYPE g gauge
                g{a="back\\\\slash \\"quoted\\"\\nline",b=""} 0
                """, text.toString());
    }

    @Test
    void shouldAddUpTheCountsOfAHistogram() {
        text.histogram("h", "Times.", Map.of("x", "y"), new double[] {0.25, 1}, new long[] {3, 0, 4}, 12.5);
        assertEquals("""
                # HELP h Times.
                # TYPE h histogram
                h_bucket{x="y",le="0.25"} 3
                h_bucket{x="y",le="1"} 3
                h_bucket{x="y",le="+Inf"} 7
                h_sum{x="y"} 12.5
                h_count{x="y"} 7
                """, text.toString());
    }

    @Test
    void shouldWriteSmallAndLargeNumbers() {
        text.gauge("g", "", Map.of(), 1.024E-6);
        text.gauge("g", "", Map.of(), 1L << 52);
        assertTrue(text.toString().endsWith("g 1.024E-6\ng 4503599627370496\n"), text::toString);
    }
}
