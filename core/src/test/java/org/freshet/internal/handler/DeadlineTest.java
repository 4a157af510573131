package org.freshet.internal.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.RefusingTimer;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timeout;
import org.freshet.util.Timer;
import org.freshet.util.TimerTask;
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

    /** Comes well after one of 100 ms, which a wheel prolongs to the end of a tick. */
    private static void awaitLaterDeadline() {
        CountDownLatch later = new CountDownLatch(1);
        new Deadline(null, 500, later::countDown).start();
        Await.latch(later, "a later deadline");
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
    void shouldHoldAlthoughTheTimerIsStoppedBeforeTheTimeIsOver() {
        HashedWheelTimer stopped = new HashedWheelTimer();
        deadline(stopped, 200).start();
        assertEquals(1, stopped.stop().size());
        assertEquals(1, expired.getCount(), "not before the time is over");
        awaitExpiry();
    }

    @Test
    void shouldForgetTheTimeIfItIsCancelledAfterTheTimerWasStopped() {
        HashedWheelTimer stopped = new HashedWheelTimer();
        Deadline deadline = deadline(stopped, 100);
        deadline.start();
        stopped.stop();
        deadline.cancel();
        awaitLaterDeadline();
        assertEquals(1, expired.getCount());
    }

    @Test
    void shouldLeaveNothingBehindIfTheTimerIsStoppedWhileItTakesTheTime() {
        HashedWheelTimer wheel = new HashedWheelTimer();
        Timer stoppedMeanwhile = new Timer() {
            @Override
            public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
                Timeout taken = wheel.newTimeout(task, delay, unit);
                wheel.stop();
                return taken;
            }

            @Override
            public Set<Timeout> stop() {
                return wheel.stop();
            }
        };
        AtomicInteger handedOver = new AtomicInteger();
        Deadline deadline =
                new Deadline(stoppedMeanwhile, 100, task -> handedOver.incrementAndGet(), expired::countDown);
        deadline.start();
        deadline.cancel();
        awaitLaterDeadline();
        assertEquals(0, handedOver.get());
    }

    /** For example because its own statistics fail. */
    @Test
    void shouldActOnceIfTheTimerActsAndThenThrows() {
        AtomicInteger runs = new AtomicInteger();
        List<Throwable> thrown = List.of(
                new IllegalStateException("the timer's"),
                new LinkageError("the timer's"),
                new OutOfMemoryError("the timer's"));
        for (Throwable each : thrown) {
            new Deadline(new ThrowingAfterwards(each), 0, runs::incrementAndGet).startAnyway();
        }
        new Deadline(null, 1_100, expired::countDown).start(); // anything tried again runs after a second
        awaitExpiry();
        assertEquals(thrown.size(), runs.get());
    }

    /** Runs each task and then throws. */
    private record ThrowingAfterwards(Throwable thrown) implements Timer {
        @Override
        public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
            try {
                task.run(null);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            if (thrown instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) thrown;
        }

        @Override
        public Set<Timeout> stop() {
            return Set.of();
        }
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
