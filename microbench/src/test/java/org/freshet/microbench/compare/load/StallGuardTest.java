package org.freshet.microbench.compare.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StallGuardTest {
    private static final Duration PATIENCE = Duration.ofMillis(20);

    @Test
    void shouldReleaseOnceWhenNothingArrives() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        AtomicInteger times = new AtomicInteger();
        try (StallGuard guard = new StallGuard(() -> 7, PATIENCE, () -> {
            times.incrementAndGet();
            released.countDown();
        })) {
            assertTrue(released.await(20, TimeUnit.SECONDS), "released");
            assertTrue(guard.stalled());
            assertEquals("the server sent nothing for 0.02 s", guard.complaint());
        }
        assertEquals(1, times.get());
    }

    @Test
    void shouldWaitWhileDataArrives() throws Exception {
        AtomicLong asked = new AtomicLong();
        CountDownLatch askedOften = new CountDownLatch(6);
        try (StallGuard guard = new StallGuard(
                () -> {
                    askedOften.countDown();
                    return asked.incrementAndGet();
                },
                PATIENCE,
                () -> {})) {
            assertTrue(askedOften.await(20, TimeUnit.SECONDS), "asked repeatedly");
            assertFalse(guard.stalled());
        }
    }
}
