package org.freshet.internal.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.RefusingTimer;
import org.freshet.util.Timer;
import org.junit.jupiter.api.Test;

class DeadlineTest {
    private final FakeTimer timer = new FakeTimer();
    private final CountDownLatch expired = new CountDownLatch(1);

    private Deadline deadline(Timer by, long millis) {
        return new Deadline(by, millis, expired::countDown);
    }

    private void awaitExpiry() {
        Await.latch(expired, "the action");
    }

    @Test
    void shouldActOnceTheTimeIsOver() {
        deadline(timer, 10).start();
        timer.advanceMillis(9);
        assertEquals(1, expired.getCount());
        timer.advanceMillis(1);
        assertEquals(0, expired.getCount());
    }

    @Test
    void shouldNeedNoTimer() {
        deadline(null, 1).start();
        awaitExpiry();
    }

    @Test
    void shouldHoldAlthoughTheTimerIsStopped() {
        timer.stop();
        deadline(timer, 1).start();
        awaitExpiry();
    }

    @Test
    void shouldHoldAlthoughTheTimerThrowsAnError() {
        deadline(new RefusingTimer(new LinkageError("the timer's")), 1).start();
        awaitExpiry();
    }

    @Test
    void shouldActAlthoughThereIsNoMemoryForTheTimer() {
        deadline(new RefusingTimer(new OutOfMemoryError("the timer's")), 60_000).startAnyway();
        awaitExpiry();
    }

    @Test
    void shouldLeaveItToTheCallerToTryAgainWithoutMemory() {
        Deadline deadline = deadline(new RefusingTimer(new OutOfMemoryError("the timer's")), 1);
        assertThrows(OutOfMemoryError.class, deadline::start);
        assertEquals(1, expired.getCount());
    }

    /** Each connection would log a line while a user's timer is full. */
    @Test
    void shouldLogFewOfManyRefusals() {
        timer.stop();
        try (CapturedLog log = CapturedLog.start()) {
            for (int i = 0; i < 100; i++) {
                Deadline refused = deadline(timer, 60_000);
                refused.start();
                refused.cancel();
            }
            assertTrue(log.messages().size() <= 20, () -> log.messages().size() + " lines");
        }
    }

    @Test
    void shouldNotStartIfItWasCancelled() {
        Deadline deadline = deadline(timer, 10);
        deadline.cancel();
        deadline.start();
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldForgetTheTimeIfItIsCancelled() {
        Deadline deadline = deadline(timer, 10);
        deadline.start();
        deadline.cancel();
        assertEquals(0, timer.pendingTimeouts());
    }
}
