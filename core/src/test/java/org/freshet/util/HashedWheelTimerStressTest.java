package org.freshet.util;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.freshet.testing.Await;
import org.freshet.testing.FakeClock;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.RepeatedTest;

/**
 * Threads schedule and cancel while another advances the clock: each time-out must end in exactly one of three ways.
 */
class HashedWheelTimerStressTest {
    private static final int THREADS = 4;
    private static final int TIMEOUTS_PER_THREAD = 40_000;
    private static final long TICK_NANOS = MILLISECONDS.toNanos(1);

    private final FakeClock clock = new FakeClock();
    private final HashedWheelTimer timer = new HashedWheelTimer(
            Executors.defaultThreadFactory(), null, 1, MILLISECONDS, 16, 0, new TurnedClock(clock));

    /** The first error. */
    private final AtomicReference<String> wrong = new AtomicReference<>();

    private final AtomicInteger schedulersAtWork = new AtomicInteger(THREADS);

    private final class Entry implements TimerTask {
        final long deadlineNanos;
        final AtomicInteger runs = new AtomicInteger();
        volatile boolean cancelled;
        Timeout timeout;

        Entry(long deadlineNanos) {
            this.deadlineNanos = deadlineNanos;
        }

        @Override
        public void run(Timeout expired) {
            runs.incrementAndGet();
            if (clock.nanos() - deadlineNanos < 0) {
                wrong.compareAndSet(null, "ran early by ns: " + (deadlineNanos - clock.nanos()));
            }
            if (cancelled) {
                wrong.compareAndSet(null, "ran after cancel() had returned");
            }
        }

        void cancel() {
            timeout.cancel();
            cancelled = timeout.isCancelled();
        }
    }

    @RepeatedTest(3)
    void shouldNeitherLoseNorRepeatNorHurryATimeout() {
        List<List<Entry>> entries = new ArrayList<>();
        List<Thread> schedulers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            List<Entry> own = new ArrayList<>();
            Random random = Seeds.random(i);
            entries.add(own);
            schedulers.add(new Thread(() -> scheduleAndCancel(own, random), "scheduler " + i));
        }
        schedulers.forEach(Thread::start);
        turnClock(Seeds.random(THREADS));
        schedulers.forEach(Await::end);
        Set<Timeout> left = timer.stop();
        entries.forEach(own -> own.forEach(entry -> check(entry, left)));
        assertNull(wrong.get());
    }

    private void scheduleAndCancel(List<Entry> own, Random random) {
        try {
            for (int i = 0; i < TIMEOUTS_PER_THREAD; i++) {
                long delayNanos = (long) (random.nextInt(40) * TICK_NANOS * random.nextDouble());
                Entry entry = new Entry(clock.nanos() + delayNanos);
                own.add(entry);
                entry.timeout = timer.newTimeout(entry, delayNanos, java.util.concurrent.TimeUnit.NANOSECONDS);
                if (random.nextInt(3) > 0) {
                    own.get(random.nextInt(own.size())).cancel();
                }
            }
        } finally {
            schedulersAtWork.decrementAndGet();
        }
    }

    private void turnClock(Random random) {
        while (schedulersAtWork.get() > 0) {
            clock.advance(Duration.ofNanos((long) (random.nextDouble() * 3 * TICK_NANOS)));
            Thread.onSpinWait();
        }
    }

    private static void check(Entry entry, Set<Timeout> left) {
        Timeout timeout = entry.timeout;
        boolean pending = left.contains(timeout);
        assertEquals(timeout.isExpired() ? 1 : 0, entry.runs.get(), () -> "runs of " + timeout);
        assertFalse(timeout.isExpired() && timeout.isCancelled(), () -> "ended twice: " + timeout);
        assertEquals(pending, !timeout.isExpired() && !timeout.isCancelled(), () -> "lost or left over: " + timeout);
        assertTrue(!entry.cancelled || timeout.isCancelled());
    }
}
