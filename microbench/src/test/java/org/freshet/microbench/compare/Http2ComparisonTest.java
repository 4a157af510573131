package org.freshet.microbench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class Http2ComparisonTest {
    private static List<String> labels(String... arguments) throws UsageException {
        Comparison comparison = new Http2Comparison();
        List<Option> known = new ArrayList<>(comparison.options());
        known.addAll(Rounds.OPTIONS);
        return comparison.plan(new Options(known, List.of(arguments))).cases().stream()
                .map(Plan.Case::label)
                .toList();
    }

    @Test
    void shouldRunEverythingWithATargetAsOneGrid() throws UsageException {
        List<String> labels = labels("--grid");

        assertEquals(2 * 9 + 4, labels.size());
        assertEquals(labels.size(), new HashSet<>(labels).size(), "each once");
        for (String cell : List.of(
                "1 connections x 1, 13 B",
                "64 connections x 100, 13 B",
                "64 connections x 100, HTTP/1.1",
                "8 connections x 16, 65536 B",
                "8 connections x 16, 1048576 B",
                "8 connections x 32, each with 16384 bytes",
                "8 connections x 32, 13 B, TLS")) {
            assertTrue(labels.contains(cell), cell + " of " + labels);
        }
    }

    @Test
    void shouldRunOnlyWhatIsRequestedWithoutTheGrid() throws UsageException {
        assertEquals(List.of("3 connections x 1, 13 B", "3 connections x 32, 13 B"), labels("--connections", "3"));
    }
}
