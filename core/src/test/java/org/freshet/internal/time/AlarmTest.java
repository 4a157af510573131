package org.freshet.internal.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.Scarcity;
import org.junit.jupiter.api.Test;

class AlarmTest {
    private final FakeTimer timer = new FakeTimer();
    private final AtomicInteger runs = new AtomicInteger();
    private final Alarm alarm = new Alarm(timer, Runnable::run, runs::incrementAndGet);

    private static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private void awaitRuns(int expected) {
        Await.until(() -> runs.get() == expected, expected + " runs");
    }

    @Test
    void shouldGoOffOnceEachTimeItIsSet() {
        alarm.set(millis(10));
        assertTrue(alarm.isSet());
        timer.advanceMillis(10);
        assertEquals(1, runs.get());
        assertFalse(alarm.isSet());
        timer.advanceMillis(100);
        assertEquals(1, runs.get());
        alarm.set(millis(10));
        timer.advanceMillis(10);
        assertEquals(2, runs.get());
    }

    @Test
    void shouldGoOffAtTheTimeLastSet() {
        alarm.set(millis(10));
        alarm.set(millis(30));
        assertEquals(1, timer.pendingTimeouts());
        timer.advanceMillis(29);
        assertEquals(0, runs.get());
        timer.advanceMillis(1);
        assertEquals(1, runs.get());
    }

    @Test
    void shouldGoOffAtTheEarliestOfSeveralDeadlines() {
        alarm.setBy(millis(20), 0);
        alarm.setBy(millis(30), 0);
        alarm.setBy(millis(10), 0);
        assertEquals(1, timer.pendingTimeouts());
        timer.advanceMillis(10);
        assertEquals(1, runs.get());
        timer.advanceMillis(100);
        assertEquals(1, runs.get());
    }

    @Test
    void shouldNotGoOffOnceItIsCancelled() {
        alarm.set(millis(10));
        alarm.cancel();
        assertEquals(0, timer.pendingTimeouts());
        timer.advanceMillis(100);
        assertEquals(0, runs.get());
    }

    @Test
    void shouldNotRunATaskStillInTheExecutorWhenCancelled() {
        Runnable[] held = new Runnable[1];
        Alarm late = new Alarm(timer, task -> held[0] = task, runs::incrementAndGet);
        late.set(0);
        timer.advanceMillis(1);
        late.cancel();
        held[0].run();
        assertEquals(0, runs.get());
    }

    @Test
    void shouldUseTheSafetyTimerByDefault() {
        Alarm own = new Alarm(null, Runnable::run, runs::incrementAndGet);
        own.set(millis(1));
        awaitRuns(1);
        own.setBy(millis(1), 0);
        awaitRuns(2);
    }

    @Test
    void shouldRunAgainAfterItsTaskHasThrownAnything() {
        for (RuntimeException exception :
                new RuntimeException[] {null, new IllegalStateException("injected by a test")}) {
            AtomicInteger left = new AtomicInteger(2);
            Alarm failing = new Alarm(null, Runnable::run, () -> {
                if (left.getAndDecrement() <= 0) {
                    runs.incrementAndGet();
                } else if (exception == null) {
                    throw new OutOfMemoryError("injected by a test");
                } else {
                    throw exception;
                }
            });
            runs.set(0);
            failing.set(0);
            awaitRuns(1);
        }
    }

    @Test
    void shouldRunEvenIfItsTimerOrItsExecutorRunsOutOfMemory() {
        Alarm byTimer = new Alarm(new Scarcity(0).timer(timer), Runnable::run, runs::incrementAndGet);
        byTimer.set(0);
        awaitRuns(1);
        new Alarm(null, new Scarcity(0).executor(Runnable::run), runs::incrementAndGet).set(0);
        awaitRuns(2);
        alarm.retry();
        alarm.setBy(0, 0);
        awaitRuns(3);
    }

    @Test
    void shouldThrowWhatItsTimerThrowsIfItMustNotRunEarly() {
        Alarm byTimer = new Alarm(new Scarcity(0).timer(timer), Runnable::run, runs::incrementAndGet);
        assertThrows(OutOfMemoryError.class, () -> byTimer.start(millis(10)));
        assertFalse(byTimer.isSet());
    }

    @Test
    void shouldBeOffAfterItsTimerRefused() {
        timer.stop();
        assertThrows(IllegalStateException.class, () -> alarm.set(0));
        assertThrows(IllegalStateException.class, () -> alarm.setBy(0, 0));
        assertFalse(alarm.isSet());
    }

    @Test
    void shouldNotRunAgainIfItsTimerHasRefusedTheTask() {
        Alarm[] again = new Alarm[1];
        again[0] = new Alarm(timer, Runnable::run, () -> {
            timer.stop();
            again[0].set(0);
        });
        again[0].set(0);
        assertThrows(AssertionError.class, () -> timer.advanceMillis(1), "of the FakeTimer");
        assertFalse(again[0].isSet());
    }
}
