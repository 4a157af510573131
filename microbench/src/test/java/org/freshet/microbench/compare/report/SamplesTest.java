package org.freshet.microbench.compare.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SamplesTest {
    private static final Metric METRIC = new Metric("key", "label", 0);

    @Test
    void shouldReturnTheMedian() {
        assertEquals(3, samples(9, 1, 3).median(METRIC));
        assertEquals(2.5, samples(9, 1, 3, 2).median(METRIC));
        assertTrue(Double.isNaN(new Samples().median(METRIC)));
    }

    @Test
    void shouldComputeTheRatioOfNeighboursNotOfMedians() {
        Samples steady = samples(2, 20, 200);
        Samples twice = samples(4, 40, 400);
        assertEquals(2, twice.ratioTo(steady, METRIC));
        assertEquals(1, steady.ratioTo(steady, METRIC));
        assertEquals(10, samples(200, 2, 200).ratioTo(samples(20, 20, 20), METRIC));
    }

    @Test
    void shouldDistinguishSettingsOnlyIfChanceIsUnlikely() {
        Samples low = samples(1, 1, 1, 1, 1, 1, 1, 1);
        assertEquals(Samples.Comparison.MORE, samples(2, 2, 2, 2, 2, 2, 2, 2).compareTo(low, METRIC));
        assertEquals(Samples.Comparison.LESS, low.compareTo(samples(2, 2, 2, 2, 2, 2, 2, 2), METRIC));
        assertEquals(
                Samples.Comparison.CANNOT_TELL, samples(2, 2, 2, 2, 2, 2, 0, 2).compareTo(low, METRIC));
        assertEquals(Samples.Comparison.CANNOT_TELL, samples(9, 9, 9).compareTo(low, METRIC));
        assertEquals(Samples.Comparison.CANNOT_TELL, low.compareTo(low, METRIC));
        assertEquals(2 * 9 / 256.0, Samples.chance(8, 7), 1e-12);
        assertEquals(1, Samples.chance(0, 0));
    }

    @Test
    void shouldMeasureSpreadByTheMiddleHalf() {
        assertEquals(0.5, samples(1, 3, 4, 5, 100).spread(METRIC));
    }

    @Test
    void shouldWriteJsonThatEscapesAndHasNoNaN() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("a\"\\\n", List.of(1.5, Double.NaN));
        map.put("b", Map.of());
        map.put("c", List.of());
        assertEquals("{\n  \"a\\\"\\\\\\u000a\": [1.5, null],\n  \"b\": {\n  },\n  \"c\": []\n}\n", Json.of(map));
    }

    @Test
    void shouldAlignTheFirstColumnLeftAndOthersRight() {
        Table table = new Table();
        table.row(List.of("peer", "x"));
        table.row(List.of("a", "100"));
        assertEquals(List.of("peer    x", "a     100"), table.toString().lines().toList());
    }

    private static Samples samples(double... values) {
        Samples samples = new Samples();
        for (double value : values) {
            samples.add(Map.of(METRIC, value));
        }
        return samples;
    }
}
