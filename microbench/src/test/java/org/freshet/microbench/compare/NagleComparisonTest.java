package org.freshet.microbench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class NagleComparisonTest {
    @Test
    void shouldComputeTheStandardDeviationOfASample() {
        assertEquals(0, NagleComparison.deviation(List.of(5L, 5L, 5L)));
        assertEquals(Math.sqrt(2), NagleComparison.deviation(List.of(4L, 6L)), 1e-12);
        assertEquals(2.138, NagleComparison.deviation(List.of(2L, 4L, 4L, 4L, 5L, 5L, 7L, 9L)), 1e-3);
    }

    @Test
    void shouldHaveNoDeviationForFewerThanTwoValues() {
        assertEquals(Double.NaN, NagleComparison.deviation(List.of(5L)));
        assertEquals(Double.NaN, NagleComparison.deviation(List.of()));
    }
}
