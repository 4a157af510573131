package org.freshet.internal.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.internal.time.SafetyTimer.Pending;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

class SafetyTimerTest {
    private final Queue<Thread> made = new ConcurrentLinkedQueue<>();
    private final SafetyTimer timer = new SafetyTimer(this::newThread, SpareThreads::offer);

    private Thread newThread(Runnable work) {
        Thread thread = new Thread(work, "freshet-timer of " + this);
        thread.setDaemon(true);
        made.add(thread);
        return thread;
    }

    private void runNow(Runnable task) {
        timer.schedule(0, TimeUnit.NANOSECONDS, task);
    }

    private void awaitOneTask() {
        CountDownLatch ran = new CountDownLatch(1);
        runNow(ran::countDown);
        Await.latch(ran, "a task");
    }

    @Test
    void shouldRunTasksInTheOrderOfTheirDeadlines() {
        Random random = Seeds.random();
        int tasks = 200;
        List<Integer> order = new ArrayList<>();
        List<Integer> expected = new ArrayList<>();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        runNow(() -> {
            begun.countDown();
            Await.latch(go, "all tasks to be scheduled");
        });
        Await.latch(begun, "the first task");
        List<Integer> delays = new ArrayList<>();
        for (int i = 0; i < tasks; i++) {
            delays.add(i);
        }
        Collections.shuffle(delays, random);
        CountDownLatch ran = new CountDownLatch(tasks / 2);
        List<Pending> toCancel = new ArrayList<>();
        for (int delay : delays) {
            // their deadlines are at least a millisecond apart, however long the loop takes between two of them
            Pending pending = timer.schedule(delay * 10L, TimeUnit.MILLISECONDS, () -> {
                order.add(delay);
                ran.countDown();
            });
            if (delay % 2 == 1) {
                toCancel.add(pending);
            } else {
                expected.add(delay);
            }
        }
        toCancel.forEach(Pending::cancel);
        assertEquals(tasks / 2, timer.pending());
        go.countDown();
        Await.latch(ran, "the tasks");
        Collections.sort(expected);
        assertEquals(expected, order);
    }

    @Test
    void shouldReleaseACancelledTask() {
        Pending pending = timer.schedule(1, TimeUnit.DAYS, () -> {});
        assertEquals(1, timer.pending());
        pending.cancel();
        pending.cancel();
        assertEquals(0, timer.pending());
    }

    @Test
    void shouldAcceptTheLongestDelay() {
        Pending pending = timer.schedule(Long.MAX_VALUE, TimeUnit.DAYS, () -> {});
        awaitOneTask();
        assertEquals(1, timer.pending());
        pending.cancel();
    }

    @Test
    void shouldEndItsThreadWhenNothingIsPendingAndStartAnotherLater() {
        timer.schedule(1, TimeUnit.DAYS, () -> {}).cancel();
        Thread first = made.element();
        Await.end(first);
        awaitOneTask();
        assertEquals(2, made.size());
        assertNotSame(first, List.copyOf(made).get(1));
    }

    private static Runnable failingOnce(Error failure) {
        AtomicBoolean hasFailed = new AtomicBoolean();
        return () -> {
            if (!hasFailed.getAndSet(true)) {
                throw failure;
            }
        };
    }

    @Test
    void shouldRetryATaskThatRanOutOfMemory() {
        CountDownLatch ran = new CountDownLatch(4);
        runNow(() -> {
            ran.countDown();
            if (ran.getCount() > 1) {
                throw new OutOfMemoryError("a test's");
            }
        });
        Await.until(() -> ran.getCount() == 1, "the third try");
        awaitOneTask();
        assertEquals(1, ran.getCount(), "the task has returned");
        assertEquals(1, made.size());
    }

    @Test
    void shouldNotRetryATaskThatWasCancelledOrFailedOtherwise() {
        CountDownLatch cancelled = new CountDownLatch(2);
        CountDownLatch failed = new CountDownLatch(2);
        List<Pending> pending = new ArrayList<>();
        CountDownLatch begin = new CountDownLatch(1);
        pending.add(timer.schedule(0, TimeUnit.NANOSECONDS, () -> {
            Await.latch(begin, "the beginning");
            pending.get(0).cancel();
            cancelled.countDown();
            throw new OutOfMemoryError("a test's");
        }));
        runNow(() -> {
            failed.countDown();
            throw new IllegalStateException("a test's");
        });
        begin.countDown();
        Await.end(made.element());
        assertEquals(1, cancelled.getCount());
        assertEquals(1, failed.getCount());
    }

    @Test
    void shouldSurviveAndLogTheExceptionOfATask() {
        try (CapturedLog log = CapturedLog.start()) {
            runNow(failingOnce(new OutOfMemoryError("a test's")));
            awaitOneTask();
            assertTrue(log.only().text().startsWith("a safety deadline failed: "));
            assertEquals("a test's", log.only().cause().getMessage());
        }
        assertEquals(1, made.size());
    }

    @Test
    void shouldSurviveATaskThatCannotBeNamed() {
        Runnable failing = failingOnce(new StackOverflowError("a test's"));
        runNow(new Runnable() {
            @Override
            public void run() {
                failing.run();
            }

            @Override
            public String toString() {
                throw new OutOfMemoryError("a test's");
            }
        });
        awaitOneTask();
        assertEquals(1, made.size());
    }

    @Test
    void shouldSurviveALoggerThatThrows() {
        try (CapturedLog log = CapturedLog.failing(() -> new OutOfMemoryError("the logger's"))) {
            runNow(failingOnce(new OutOfMemoryError("a test's")));
            awaitOneTask();
            assertEquals(List.of(), log.messages());
        }
        assertEquals(1, made.size());
    }

    @Test
    void shouldContinueAfterATaskLeavesAnInterrupt() {
        runNow(() -> Thread.currentThread().interrupt());
        awaitOneTask();
        assertEquals(1, made.size());
    }

    @Test
    void shouldStartAnotherThreadWhenTheFirstHasDied() {
        CountDownLatch ran = new CountDownLatch(2);
        SafetyTimer fragile = new SafetyTimer(work -> newThread(made.isEmpty() ? () -> {} : work), SpareThreads::offer);
        fragile.schedule(0, TimeUnit.NANOSECONDS, ran::countDown);
        Await.end(made.element());
        fragile.schedule(0, TimeUnit.NANOSECONDS, ran::countDown);
        Await.latch(ran, "both tasks");
    }

    @Test
    void shouldNotRefuseATaskWhenNoThreadCanBeStarted() {
        CountDownLatch ran = new CountDownLatch(2);
        ThreadFactory threads = work -> {
            if (made.isEmpty()) {
                made.add(Thread.currentThread());
                throw new OutOfMemoryError("unable to create native thread");
            }
            return newThread(work);
        };
        SafetyTimer poor = new SafetyTimer(threads, SpareThreads::offer);
        try (CapturedLog log = CapturedLog.start()) {
            poor.schedule(0, TimeUnit.NANOSECONDS, ran::countDown);
            assertTrue(log.only().text().startsWith("cannot start the thread freshet-timer"));
        }
        poor.schedule(0, TimeUnit.NANOSECONDS, ran::countDown);
        Await.latch(ran, "both tasks");
    }

    @Test
    void shouldRunBlockingTasksOnIndependentThreads() {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch blocked = new CountDownLatch(3);
        CountDownLatch ended = new CountDownLatch(3);
        for (int i = 0; i < 3; i++) {
            SafetyTimer.startBlocking(0, TimeUnit.NANOSECONDS, () -> {
                blocked.countDown();
                Await.latch(end, "the end of the test");
                ended.countDown();
            });
        }
        Await.latch(blocked, "all tasks to run");
        end.countDown();
        Await.latch(ended, "the end of all");
    }

    /** The tasks that occupy all threads may be waiting for this one. */
    @Test
    void shouldRunABlockingTaskItselfIfNoThreadCanBeStartedTwice() {
        AtomicInteger refusals = new AtomicInteger();
        SafetyTimer poor = new SafetyTimer(this::newThread, task -> {
            refusals.incrementAndGet();
            return false;
        });
        CountDownLatch ran = new CountDownLatch(1);
        poor.schedule(0, TimeUnit.NANOSECONDS, ran::countDown, true);
        Await.latch(ran, "the task");
        assertEquals(2, refusals.get());
    }

    @Test
    void shouldRetryABlockingTaskWhenNoThreadIsAvailable() {
        AtomicBoolean hasRefused = new AtomicBoolean();
        List<Thread> ranOn = new CopyOnWriteArrayList<>();
        SafetyTimer poor =
                new SafetyTimer(this::newThread, task -> hasRefused.getAndSet(true) && SpareThreads.offer(task));
        poor.schedule(0, TimeUnit.NANOSECONDS, () -> ranOn.add(Thread.currentThread()), true);
        Await.until(() -> !ranOn.isEmpty(), "the task");
        assertEquals("freshet-spare", ranOn.get(0).getName());
    }

    @Test
    void shouldRetryATaskOnceThereIsMemoryForItsThread() {
        AtomicBoolean isPoor = new AtomicBoolean(true);
        SafetyTimer poor = new SafetyTimer(
                work -> {
                    if (isPoor.get()) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    return newThread(work);
                },
                SpareThreads::offer);
        CountDownLatch ran = new CountDownLatch(1);
        new Pending(poor, 0, ran::countDown, true).retry();
        isPoor.set(false);
        assertEquals(0, made.size());
        poor.ensureRetries();
        Await.latch(ran, "the task");
    }

    @Test
    void shouldRunADeadlineForWhichNoThreadCouldBeStarted() {
        AtomicBoolean hasThreads = new AtomicBoolean();
        SafetyTimer poor = new SafetyTimer(
                work -> {
                    if (!hasThreads.get()) {
                        throw new OutOfMemoryError("thrown on purpose");
                    }
                    return newThread(work);
                },
                SpareThreads::offer);
        CountDownLatch ran = new CountDownLatch(1);
        try (CapturedLog log = CapturedLog.start()) {
            poor.schedule(0, TimeUnit.NANOSECONDS, ran::countDown);
            log.awaitMessage(m -> m.text().startsWith("cannot start the thread freshet-timer"));
            hasThreads.set(true);
            poor.ensureRetries();
            Await.latch(ran, "the deadline");
        }
    }
}
