package org.freshet.internal.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.util.Timeout;
import org.freshet.util.Timer;
import org.freshet.util.TimerTask;
import org.junit.jupiter.api.Test;

class DeadlineTest {
    private final FakeTimer timer = new FakeTimer();
    private final CountDownLatch expired = new CountDownLatch(1);

    private record Refusing(Error error) implements Timer {
        @Override
        public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
            throw error;
        }

        @Override
        public Set<Timeout> stop() {
            return Set.of();
        }
    }

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
        deadline(new Refusing(new LinkageError("the timer's")), 1).start();
        awaitExpiry();
    }

    @Test
    void shouldActAlthoughThereIsNoMemoryForTheTimer() {
        deadline(new Refusing(new OutOfMemoryError("the timer's")), 60_000).startAnyway();
        awaitExpiry();
    }

    @Test
    void shouldLeaveItToTheCallerToTryAgainWithoutMemory() {
        Deadline deadline = deadline(new Refusing(new OutOfMemoryError("the timer's")), 1);
        assertThrows(OutOfMemoryError.class, deadline::start);
        assertEquals(1, expired.getCount());
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
