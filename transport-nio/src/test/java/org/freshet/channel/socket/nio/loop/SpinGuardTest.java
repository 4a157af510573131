package org.freshet.channel.socket.nio.loop;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SpinGuardTest {
    private final SpinGuard guard = new SpinGuard();

    @Test
    void shouldDetectASelectorThatReturnsWithoutCauseManyTimesInARow() {
        int returns = 1;
        while (!guard.isSpinning()) {
            returns++;
            assertTrue(returns <= 10_000, "never detected");
        }
        assertTrue(returns >= 100, "detected after " + returns + " returns, which may be chance");
    }

    @Test
    void shouldForgetCauselessReturnsWhenOneHasACause() {
        for (int i = 0; i < 10_000; i++) {
            assertFalse(guard.isSpinning());
            if (i % 100 == 0) {
                guard.onCause();
            }
        }
    }
}
