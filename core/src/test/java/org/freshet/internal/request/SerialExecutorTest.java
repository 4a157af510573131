package org.freshet.internal.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.Test;

class SerialExecutorTest {
    private final SerialExecutor executor = new SerialExecutor();

    @Test
    void shouldRunATaskImmediatelyWhileNoThreadHoldsIt() {
        AtomicBoolean mine = new AtomicBoolean();
        executor.execute(() -> mine.set(executor.isHeldByCurrentThread()));
        assertTrue(mine.get());
        assertFalse(executor.isHeldByCurrentThread());
    }

    @Test
    void shouldRunTasksSubmittedByATaskAfterThatTask() {
        List<String> order = new ArrayList<>();
        executor.execute(() -> {
            executor.execute(() -> order.add("second"));
            executor.execute(() -> order.add("third"));
            order.add("first");
        });
        assertEquals(List.of("first", "second", "third"), order);
    }

    @Test
    void shouldLeaveATaskToTheThreadThatHoldsIt() {
        AtomicReference<Thread> ranOn = new AtomicReference<>();
        executor.acquire();
        Thread other = new Thread(() -> executor.execute(() -> ranOn.set(Thread.currentThread())));
        other.start();
        Await.end(other);
        assertEquals(null, ranOn.get());
        executor.release();
        assertEquals(Thread.currentThread(), ranOn.get());
    }

    @Test
    void shouldRunQueuedTasksWhenItIsAcquired() {
        List<String> order = new ArrayList<>();
        executor.enqueue(() -> order.add("queued"));
        executor.acquire();
        order.add("acquired");
        executor.release();
        assertEquals(List.of("queued", "acquired"), order);
    }

    @Test
    void shouldAdmitTheWaitingThreadBeforeTheRemainingTasks() {
        List<String> order = new ArrayList<>();
        CountDownLatch started = new CountDownLatch(1);
        Thread claimant = new Thread(() -> {
            started.countDown();
            executor.acquire();
            order.add("claimant");
            executor.release();
        });
        executor.execute(() -> {
            claimant.start();
            Await.latch(started, "the claimant");
            Await.until(() -> claimant.getState() == Thread.State.WAITING, "the claimant to wait");
            executor.execute(() -> order.add("task on " + Thread.currentThread().getName()));
        });
        Await.end(claimant);
        assertEquals(List.of("task on " + claimant.getName(), "claimant"), order);
    }

    @Test
    void shouldRunNoMoreTasksThanTheLimit() {
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 5; i++) {
            executor.enqueue(ran::incrementAndGet);
        }
        assertTrue(executor.drain(2));
        assertEquals(2, ran.get());
        assertTrue(executor.drain(2));
        assertFalse(executor.drain(2));
        assertEquals(5, ran.get());
    }

    @Test
    void shouldContinueAfterATaskThatThrows() {
        AtomicBoolean ran = new AtomicBoolean();
        try (CapturedLog log = CapturedLog.start()) {
            executor.execute(() -> {
                executor.execute(() -> ran.set(true));
                throw new IllegalStateException("no");
            });
            assertEquals(1, log.messages(InternalLogLevel.ERROR).size());
        }
        assertTrue(ran.get());
        assertFalse(executor.isHeldByCurrentThread());
    }

    @Test
    void shouldWaitThroughAnInterruptAndKeepIt() {
        AtomicBoolean interrupted = new AtomicBoolean();
        CountDownLatch taken = new CountDownLatch(1);
        executor.acquire();
        Thread claimant = new Thread(() -> {
            Thread.currentThread().interrupt();
            executor.acquire();
            interrupted.set(Thread.interrupted());
            executor.release();
            taken.countDown();
        });
        claimant.start();
        Await.until(() -> claimant.getState() == Thread.State.WAITING, "the claimant to wait");
        executor.release();
        Await.latch(taken, "acquiring");
        Await.end(claimant);
        assertTrue(interrupted.get());
    }

    /** Three threads submit tasks while a fourth repeatedly acquires it; nothing is lost, nothing overlaps. */
    @Test
    void shouldNeverRunTwoTasksConcurrentlyNorLoseOne() {
        int tasks = 50_000;
        int bringers = 3;
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        AtomicInteger ran = new AtomicInteger();
        Runnable event = () -> {
            if (inside.incrementAndGet() != 1) {
                overlaps.incrementAndGet();
            }
            ran.incrementAndGet();
            inside.decrementAndGet();
        };
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < bringers; t++) {
            threads.add(new Thread(() -> {
                for (int i = 0; i < tasks; i++) {
                    executor.execute(event);
                }
            }));
        }
        threads.add(new Thread(() -> {
            for (int i = 0; i < tasks; i++) {
                executor.acquire();
                event.run();
                executor.release();
            }
        }));
        threads.forEach(Thread::start);
        threads.forEach(Await::end);
        assertEquals((bringers + 1) * tasks, ran.get());
        assertEquals(0, overlaps.get());
        assertFalse(executor.isHeldByCurrentThread());
    }

    // ---- loans ------------------------------------------------------------------------------------------------------

    @Test
    void shouldRunUrgentTasksOnAnotherThreadWhileTheHolderIsBlocked() {
        AtomicReference<Thread> ranOn = new AtomicReference<>();
        List<Boolean> borrowed = new ArrayList<>();
        executor.acquire();
        assertTrue(executor.lend());
        Thread other = new Thread(() -> {
            executor.execute(() -> borrowed.add(false));
            executor.executeUrgently(() -> {
                ranOn.set(Thread.currentThread());
                borrowed.add(executor.isBorrowedByCurrentThread());
            });
        });
        other.start();
        Await.end(other);
        assertEquals(other, ranOn.get());
        assertEquals(List.of(true), borrowed);
        assertFalse(executor.isBorrowedByCurrentThread());
        executor.reclaim();
        assertTrue(executor.isHeldByCurrentThread());
        executor.release();
        assertEquals(List.of(true, false), borrowed);
    }

    @Test
    void shouldRunUrgentTasksThatWereQueuedBeforeTheLoan() {
        List<String> order = new ArrayList<>();
        executor.execute(() -> {
            executor.executeUrgently(() -> order.add("urgent"));
            order.add("running");
            assertTrue(executor.lend());
            executor.reclaim();
            order.add("reclaimed");
        });
        assertEquals(List.of("running", "urgent", "reclaimed"), order);
    }

    @Test
    void shouldNotReturnFromReclaimBeforeAnUrgentTaskHasEnded() {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch proceed = new CountDownLatch(1);
        AtomicBoolean ended = new AtomicBoolean();
        List<Boolean> endedAtReclaim = new ArrayList<>();
        Thread holder = new Thread(() -> {
            executor.acquire();
            executor.lend();
            Await.latch(inside, "the urgent task");
            executor.reclaim();
            endedAtReclaim.add(ended.get());
            executor.release();
        });
        holder.start();
        Thread other = new Thread(() -> executor.executeUrgently(() -> {
            inside.countDown();
            Await.latch(proceed, "the test");
            ended.set(true);
        }));
        Await.until(executor::isLent, "the loan");
        other.start();
        Await.until(() -> holder.getState() == Thread.State.WAITING, "the holder to wait");
        proceed.countDown();
        Await.end(holder);
        Await.end(other);
        assertEquals(List.of(true), endedAtReclaim);
    }

    @Test
    void shouldLendOnlyWhatTheCallerHolds() {
        assertFalse(executor.lend());
        executor.execute(() -> {
            assertTrue(executor.lend());
            executor.executeUrgently(() -> assertFalse(executor.lend()));
            executor.reclaim();
        });
    }

    private static void throwAnything() {
        throw new IllegalStateException("injected by a test");
    }

    @Test
    void shouldRunTheOtherTasksEvenIfATaskAndTheLogFail() {
        AtomicInteger ran = new AtomicInteger();
        try (CapturedLog log = CapturedLog.failing(() -> new NoClassDefFoundError("the log's"))) {
            executor.enqueue(SerialExecutorTest::throwAnything);
            executor.execute(ran::incrementAndGet);
            assertEquals(List.of(), log.messages());
        }
        executor.execute(ran::incrementAndGet);
        assertEquals(2, ran.get());
    }

    @Test
    void shouldReclaimALoanEvenIfATaskAndTheLogFail() {
        AtomicInteger ran = new AtomicInteger();
        executor.acquire();
        assertTrue(executor.lend());
        try (CapturedLog log = CapturedLog.failing(() -> new NoClassDefFoundError("the log's"))) {
            Thread other = new Thread(() -> executor.executeUrgently(SerialExecutorTest::throwAnything));
            other.setUncaughtExceptionHandler((thread, thrown) -> {});
            other.start();
            Await.end(other);
            assertEquals(List.of(), log.messages());
        }
        Thread next = new Thread(() -> executor.executeUrgently(ran::incrementAndGet));
        next.start();
        Await.end(next);
        assertEquals(1, ran.get());
        executor.reclaim();
        executor.release();
    }
}
