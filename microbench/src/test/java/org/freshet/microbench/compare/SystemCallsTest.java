package org.freshet.microbench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SystemCallsTest {
    @Test
    void shouldReadCallsFromRowsWithAndWithoutErrorsAndSkipTheRest() {
        List<String> table = List.of(
                "strace: Process 4339 detached",
                "% time     seconds  usecs/call     calls    errors syscall",
                "------ ----------- ----------- --------- --------- ----------------",
                " 61.16    1.168217          38     30016        16 read",
                " 38.13    0.728311          24     30000           write",
                "100.00    1.909985          31     60016        16 total");
        Map<String, Long> counts = new HashMap<>();
        table.forEach(line -> SystemCalls.count(line, counts));
        assertEquals(Map.of("read", 30016L, "write", 30000L), counts);
    }

    @Test
    void shouldExpandProcessorRanges() {
        assertEquals(List.of(0, 1, 2, 8), Pinning.parse("0-2,8"));
        assertEquals(List.of(3), Pinning.parse("3"));
    }
}
