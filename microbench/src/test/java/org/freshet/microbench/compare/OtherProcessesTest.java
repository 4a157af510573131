package org.freshet.microbench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class OtherProcessesTest {
    @Test
    void shouldCountBusyTicksAndNotIdleOnes() {
        assertEquals(1 + 2 + 3 + 6 + 7 + 8, OtherProcesses.busyTicks("cpu  1 2 3 4000 5000 6 7 8 0 0"));
    }

    @Test
    void shouldCountTheTicksOfAProcessAndItsChildrenWhateverItsName() {
        String line =
                "17 (a) b (c) S 1 17 17 0 -1 4194560 11 12 13 14 100 20 3000 400 20 0 30 0 5 18446744073709551615";
        assertEquals(100 + 20 + 3000 + 400, OtherProcesses.ownTicks(line));
    }
}
