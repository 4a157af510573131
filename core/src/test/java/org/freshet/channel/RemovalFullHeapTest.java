package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.freshet.testing.SmallJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RemovalFullHeapTest {
    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES) // each allocation that fails takes a garbage collection first
    void shouldKeepNoPipelineWhoseHandlerCouldNotBeRemoved() throws Exception {
        String said = SmallJvm.run(List.of(), RemovalsInFullHeap.class);
        assertTrue(said.contains("failed=true stuck=0 kept=0"), said);
    }
}
