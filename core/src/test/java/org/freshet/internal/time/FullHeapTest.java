package org.freshet.internal.time;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.freshet.testing.SmallJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Time-driven threads survive a full heap, even if it is full when they fail for the first time. */
class FullHeapTest {
    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void shouldContinueWhenMemoryIsAvailableAgain() throws Exception {
        String said = SmallJvm.run(List.of(), FullHeap.class);
        assertTrue(said.contains("ready=true timer=true wheel=true watch=true"), said);
    }
}
