package org.freshet.internal.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DurationsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static String refusal(Runnable check) {
        return assertThrows(IllegalArgumentException.class, check::run).getMessage();
    }

    @Test
    void shouldReturnDurationsInRange() {
        assertSame(SECOND, Durations.positive("idle", SECOND));
        assertSame(Durations.MAX, Durations.positive("idle", Durations.MAX));
        assertSame(Duration.ZERO, Durations.limit("idle", Duration.ZERO));
    }

    @Test
    void shouldReportWhatIsWrongWithOthers() {
        assertEquals("idle <= 0: PT0S", refusal(() -> Durations.positive("idle", Duration.ZERO)));
        assertEquals("idle < 0: PT-1S", refusal(() -> Durations.positive("idle", SECOND.negated())));
        assertEquals("idle < 0: PT-1S", refusal(() -> Durations.limit("idle", SECOND.negated())));
        assertEquals(
                "idle > " + Durations.MAX + ": PT2562047788015215H30M7S",
                refusal(() -> Durations.limit("idle", Duration.ofSeconds(Long.MAX_VALUE))));
        assertEquals(
                "idle",
                assertThrows(NullPointerException.class, () -> Durations.positive("idle", null))
                        .getMessage());
    }

    @Test
    void shouldNotRoundToZero() {
        assertEquals(1, Durations.millis(Duration.ofNanos(1)));
        assertEquals(1, Durations.millis(Duration.ofMillis(1)));
        assertEquals(2, Durations.millis(Duration.ofNanos(1_000_001)));
        assertEquals(0, Durations.millis(Duration.ZERO));
        assertEquals(1L << 40, Durations.millis(Durations.MAX));
    }

    @Test
    void shouldLimitDurationsSoThatTheSumOfTwoFitsIntoNanoseconds() {
        assertEquals(
                2 * Durations.MAX.toNanos(), Durations.MAX.plus(Durations.MAX).toNanos());
    }
}
