package org.freshet.internal.accept;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AcceptBackoffTest {
    private final AcceptBackoff backoff = new AcceptBackoff();
    private long nowNanos = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(100); // nanoTime may overflow

    private int failAfter(long seconds) {
        nowNanos += TimeUnit.SECONDS.toNanos(seconds);
        return backoff.onFailed(nowNanos);
    }

    @Test
    void shouldDoubleFromFiveMillisecondsToOneSecond() {
        int[] expected = {5, 10, 20, 40, 80, 160, 320, 640, 1000, 1000};
        for (int millis : expected) {
            assertEquals(millis, failAfter(1));
        }
    }

    @Test
    void shouldStartWithFiveMillisecondsAgainAfterASuccess() {
        failAfter(0);
        failAfter(0);
        backoff.onAccepted();
        assertEquals(5, failAfter(0));
    }

    @Test
    void shouldBeUnreportedUntilTheCallerSaysOtherwise() {
        failAfter(0);
        assertTrue(backoff.isUnreported());
        failAfter(1);
        assertTrue(backoff.isUnreported(), "the first attempt to log may have failed");
        backoff.onReported();
        assertFalse(backoff.isUnreported());
    }

    @Test
    void shouldTreatFailuresBetweenSuccessesAsOneShortage() {
        failAfter(0);
        backoff.onReported();
        for (int i = 0; i < 200; i++) {
            backoff.onAccepted();
            failAfter(i % 2 == 0 ? 1 : 60);
            assertFalse(backoff.isUnreported());
        }
    }

    @Test
    void shouldReportAgainAfterAMinuteWithoutFailure() {
        failAfter(0);
        backoff.onReported();
        failAfter(61);
        assertTrue(backoff.isUnreported());
    }
}
