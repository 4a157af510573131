package org.freshet.util;

import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.FakeClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A tick is 10 ms and a turn of the wheel 8 ticks unless a test says otherwise; time stands still until a test advances
 * it.
 */
class HashedWheelTimerTest {
    private static final TimerTask NOTHING = timeout -> {};

    private final FakeClock clock = new FakeClock();
    private final List<Thread> made = new ArrayList<>();
    private final ThreadFactory threads = task -> {
        Thread thread = new Thread(task, "before");
        made.add(thread);
        return thread;
    };
    private final HashedWheelTimer timer = newTimer(0);
    private final LinkedBlockingQueue<String> ran = new LinkedBlockingQueue<>();

    private HashedWheelTimer newTimer(long maxPendingTimeouts) {
        return new HashedWheelTimer(threads, null, 10, MILLISECONDS, 8, maxPendingTimeouts, new TurnedClock(clock));
    }

    @AfterEach
    void stop() {
        timer.stop();
    }

    private Timeout schedule(String name, long delayMillis) {
        return timer.newTimeout(timeout -> ran.add(name), delayMillis, MILLISECONDS);
    }

    private void awaitRun(String name) throws InterruptedException {
        assertEquals(name, ran.poll(Await.LIMIT.toNanos(), NANOSECONDS));
    }

    @Test
    void shouldRunATaskAtTheFirstTickAfterItsDelay() throws Exception {
        clock.advanceMillis(5);
        schedule("at 17 ms", 12);
        schedule("at 10 ms", 5);
        schedule("at 20 ms", 15);
        clock.advanceMillis(5);
        awaitRun("at 10 ms");
        clock.advance(Duration.ofMillis(10).minusNanos(1));
        schedule("at 20 ms too", 0);
        assertTrue(ran.isEmpty(), "a task ran at 19.999999 ms");
        clock.advance(Duration.ofNanos(1));
        awaitRun("at 17 ms");
        awaitRun("at 20 ms");
        awaitRun("at 20 ms too");
    }

    @ParameterizedTest
    @ValueSource(longs = {80, 90, 160, 800, 3_600_000})
    void shouldSkipTimeoutsOfLaterTurns(long delayMillis) throws Exception {
        schedule("late", delayMillis);
        Timeout early = schedule("early", delayMillis - 10);
        clock.advanceMillis(delayMillis / 2);
        clock.advanceMillis(delayMillis - 10 - delayMillis / 2);
        awaitRun("early");
        assertTrue(early.isExpired());
        assertTrue(ran.isEmpty(), "a task ran a tick early");
        clock.advanceMillis(10);
        awaitRun("late");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void shouldRunATaskWithoutDelayAtTheNextTick(long delay) throws Exception {
        clock.advanceMillis(3);
        timer.newTimeout(timeout -> ran.add("now"), delay, DAYS);
        clock.advanceMillis(7);
        awaitRun("now");
    }

    @Test
    void shouldSupportDelaysBeyondTheEndOfTime() throws Exception {
        Timeout never = timer.newTimeout(timeout -> ran.add("never"), Long.MAX_VALUE, DAYS);
        clock.advance(Duration.ofDays(100 * 365));
        schedule("soon", 10);
        clock.advanceMillis(10);
        awaitRun("soon");
        timer.newTimeout(timeout -> ran.add("must never run either"), Long.MAX_VALUE, NANOSECONDS);
        schedule("later", 10);
        clock.advanceMillis(100);
        awaitRun("later");
        assertTrue(ran.isEmpty(), "a task ran before the end of time");
        assertFalse(never.isExpired());
        assertEquals(2, timer.stop().size());
    }

    @Test
    void shouldCatchUpWhenTimeJumps() throws Exception {
        for (int i = 1; i <= 100; i++) {
            schedule("task", 10 * i);
        }
        Timeout after = schedule("after", 3_600_000);
        clock.advanceMillis(3_599_999);
        for (int i = 1; i <= 100; i++) {
            awaitRun("task");
        }
        assertFalse(after.isExpired());
        clock.advanceMillis(1);
        awaitRun("after");
    }

    @Test
    void shouldRunTasksOfManyTicksInOrderOfTheirTicks() throws Exception {
        for (int i = 7; i >= 1; i--) {
            schedule("tick " + i, 10 * i);
        }
        clock.advanceMillis(70);
        for (int i = 1; i <= 7; i++) {
            awaitRun("tick " + i);
        }
    }

    @Test
    void shouldPassItsTimeoutToTheTask() throws Exception {
        CompletableFuture<Timeout> given = new CompletableFuture<>();
        TimerTask task = given::complete;
        Timeout timeout = timer.newTimeout(task, 10, MILLISECONDS);
        assertSame(timer, timeout.getTimer());
        assertSame(task, timeout.getTask());
        assertFalse(timeout.isExpired());
        clock.advanceMillis(10);
        assertSame(timeout, Await.result(given, "the task"));
        assertTrue(timeout.isExpired());
        assertFalse(timeout.isCancelled());
        timeout.cancel();
        assertFalse(timeout.isCancelled(), "an expired time-out was cancelled");
    }

    @Test
    void shouldNotRunACancelledTask() throws Exception {
        Timeout cancelled = schedule("cancelled", 10);
        schedule("kept", 10);
        assertEquals(2, timer.pendingTimeouts());
        cancelled.cancel();
        cancelled.cancel();
        assertTrue(cancelled.isCancelled());
        assertFalse(cancelled.isExpired());
        assertEquals(1, timer.pendingTimeouts());
        clock.advanceMillis(10);
        awaitRun("kept");
        schedule("next", 10);
        clock.advanceMillis(10);
        awaitRun("next");
    }

    @Test
    void shouldNotRunATaskThatAnotherTaskOfTheSameTickCancels() throws Exception {
        Timeout[] other = new Timeout[2];
        CountDownLatch scheduled = new CountDownLatch(1);
        for (int i = 0; i < 2; i++) {
            Timeout[] victim = other;
            int victimIndex = 1 - i;
            other[i] = timer.newTimeout(
                    timeout -> {
                        Await.latch(scheduled, "the other time-out");
                        victim[victimIndex].cancel();
                        ran.add("one");
                    },
                    10,
                    MILLISECONDS);
        }
        scheduled.countDown();
        clock.advanceMillis(10);
        awaitRun("one");
        schedule("next", 10);
        clock.advanceMillis(10);
        awaitRun("next");
    }

    @Test
    void shouldFreeCancelledTimeoutsImmediately() {
        for (int i = 0; i < 1_000_000; i++) {
            timer.newTimeout(NOTHING, i, MILLISECONDS).cancel();
        }
        assertEquals(0, timer.pendingTimeouts());
        assertTrue(timer.stop().isEmpty());
    }

    @Test
    void shouldHoldAMillionTimeouts() {
        List<Timeout> timeouts = new ArrayList<>();
        CountDownLatch expired = new CountDownLatch(500_000);
        for (int i = 0; i < 1_000_000; i++) {
            boolean kept = i % 2 == 0;
            timeouts.add(timer.newTimeout(timeout -> expired.countDown(), kept ? 10 : 1 + i % 1000, MILLISECONDS));
        }
        assertEquals(1_000_000, timer.pendingTimeouts());
        for (int i = 1; i < 1_000_000; i += 2) {
            timeouts.get(i).cancel();
        }
        assertEquals(500_000, timer.pendingTimeouts());
        clock.advanceMillis(10);
        Await.latch(expired, "half a million tasks");
    }

    @Test
    void shouldRefuseMoreThanTheMaximumUntilOthersHaveEnded() throws Exception {
        HashedWheelTimer capped = newTimer(3);
        try {
            capped.newTimeout(NOTHING, 1, HOURS);
            Timeout second = capped.newTimeout(NOTHING, 1, HOURS);
            capped.newTimeout(timeout -> ran.add("third"), 10, MILLISECONDS);
            RejectedExecutionException refused =
                    assertThrows(RejectedExecutionException.class, () -> capped.newTimeout(NOTHING, 1, HOURS));
            assertTrue(refused.getMessage().endsWith("maximum is 3"), refused.getMessage());
            second.cancel();
            second.cancel();
            capped.newTimeout(NOTHING, 1, HOURS);
            assertThrows(RejectedExecutionException.class, () -> capped.newTimeout(NOTHING, 1, HOURS));
            clock.advanceMillis(10);
            awaitRun("third");
            capped.newTimeout(NOTHING, 1, HOURS);
            assertThrows(RejectedExecutionException.class, () -> capped.newTimeout(NOTHING, 1, HOURS));
            assertEquals(3, capped.pendingTimeouts());
        } finally {
            assertEquals(3, capped.stop().size());
        }
    }

    @Test
    void shouldSurviveTasksThatThrow() throws Exception {
        try (CapturedLog log = CapturedLog.start()) {
            Exception checked = new Exception("checked");
            Error error = new StackOverflowError("error");
            timer.newTimeout(
                    timeout -> {
                        throw checked;
                    },
                    10,
                    MILLISECONDS);
            timer.newTimeout(
                    timeout -> {
                        throw error;
                    },
                    20,
                    MILLISECONDS);
            schedule("alive", 30);
            clock.advanceMillis(30);
            awaitRun("alive");
            assertEquals(
                    List.of(checked, error),
                    log.messages(InternalLogLevel.WARN).stream()
                            .map(CapturedLog.Message::cause)
                            .toList());
        }
    }

    @Test
    void shouldSleepAgainAfterATaskLeftAnInterrupt() throws Exception {
        timer.newTimeout(timeout -> Thread.currentThread().interrupt(), 10, MILLISECONDS);
        clock.advanceMillis(10);
        schedule("next", 10);
        Await.until(() -> made.get(0).getState() == Thread.State.WAITING, "the worker to sleep");
        clock.advanceMillis(10);
        awaitRun("next");
    }

    @Test
    void shouldWakeUpForTheFirstTimeoutAfterAnIdlePeriod() throws Exception {
        for (int i = 0; i < 100; i++) {
            schedule("task", 10);
            clock.advanceMillis(10);
            awaitRun("task");
            if (i % 2 == 0) {
                Await.until(() -> made.get(0).getState() == Thread.State.WAITING, "the worker to sleep");
                clock.advanceMillis(1000);
            }
        }
    }

    @Test
    void shouldStartItsThreadWithTheFirstTimeout() {
        assertTrue(made.isEmpty());
        timer.newTimeout(NOTHING, 10, MILLISECONDS);
        timer.newTimeout(NOTHING, 10, MILLISECONDS);
        timer.start();
        assertEquals(1, made.size());
        assertTrue(made.get(0).isAlive());
        timer.stop();
        assertFalse(made.get(0).isAlive());
    }

    @Test
    void shouldNameItsThreadWithTheDeterminer() throws Exception {
        for (ThreadNameDeterminer determiner :
                new ThreadNameDeterminer[] {null, ThreadNameDeterminer.CURRENT, (current, proposed) -> "my timer"}) {
            HashedWheelTimer named = new HashedWheelTimer(threads, determiner, 1, MILLISECONDS, 8);
            named.newTimeout(timeout -> ran.add(Thread.currentThread().getName()), 0, MILLISECONDS);
            String name = ran.poll(Await.LIMIT.toNanos(), NANOSECONDS);
            assertNotNull(name);
            named.stop();
            String expected = determiner == null
                    ? "Hashed wheel timer #\\d+"
                    : determiner == ThreadNameDeterminer.CURRENT ? "before" : "my timer";
            assertTrue(name.matches(expected), name);
        }
    }

    @Test
    void shouldStartAgainAfterAThreadFactoryFailed() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        HashedWheelTimer late = new HashedWheelTimer(
                task -> switch (asked.getAndIncrement()) {
                    case 0 -> throw new IllegalStateException("no thread today");
                    case 1 -> null;
                    default -> new Thread(task);
                },
                1,
                MILLISECONDS);
        assertThrows(IllegalStateException.class, () -> late.newTimeout(NOTHING, 1, MILLISECONDS));
        assertThrows(IllegalStateException.class, () -> late.newTimeout(NOTHING, 1, MILLISECONDS));
        late.newTimeout(timeout -> ran.add("at last"), 1, MILLISECONDS);
        awaitRun("at last");
        late.stop();
    }

    @Test
    void shouldAlsoRunOnTheSystemClock() throws Exception {
        HashedWheelTimer real = new HashedWheelTimer(1, MILLISECONDS, 16);
        try {
            long startNanos = System.nanoTime();
            CompletableFuture<Long> ranAfterNanos = new CompletableFuture<>();
            real.newTimeout(timeout -> ranAfterNanos.complete(System.nanoTime() - startNanos), 30, MILLISECONDS);
            long nanos = Await.result(ranAfterNanos, "the task");
            assertTrue(nanos >= MILLISECONDS.toNanos(30), "early by ns: " + (MILLISECONDS.toNanos(30) - nanos));
        } finally {
            real.stop();
        }
    }

    @Test
    void shouldReturnPendingTimeoutsWhenStopped() throws Exception {
        Timeout expired = schedule("expired", 10);
        clock.advanceMillis(10);
        awaitRun("expired");
        Timeout cancelled = schedule("cancelled", 1000);
        cancelled.cancel();
        Set<Timeout> pending = new HashSet<>(List.of(schedule("a", 20), schedule("b", 80), schedule("c", 1000)));
        assertEquals(pending, timer.stop());
        assertTrue(expired.isExpired());
        for (Timeout timeout : pending) {
            assertFalse(timeout.isExpired());
            assertFalse(timeout.isCancelled());
            timeout.cancel();
            assertTrue(timeout.isCancelled());
        }
        assertTrue(timer.stop().isEmpty(), "a second stop returned time-outs");
    }

    @Test
    void shouldRefuseTimeoutsAfterItWasStopped() {
        timer.stop();
        assertThrows(IllegalStateException.class, () -> timer.newTimeout(NOTHING, 1, MILLISECONDS));
        assertThrows(IllegalStateException.class, timer::start);
        assertTrue(made.isEmpty());
    }

    @Test
    void shouldRefuseToBeStoppedByItsOwnTask() throws Exception {
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        timer.newTimeout(
                timeout -> {
                    try {
                        timer.stop();
                        thrown.complete(null);
                    } catch (IllegalStateException e) {
                        thrown.complete(e);
                    }
                },
                10,
                MILLISECONDS);
        clock.advanceMillis(10);
        assertNotNull(Await.result(thrown, "the task"), "the task stopped its timer");
        schedule("alive", 10);
        clock.advanceMillis(10);
        awaitRun("alive");
    }

    @Test
    void shouldInterruptATaskThatBlocksWhileItIsStopped() {
        CountDownLatch blocks = new CountDownLatch(1);
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        timer.newTimeout(
                timeout -> {
                    blocks.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        interrupted.complete(true);
                    }
                },
                10,
                MILLISECONDS);
        Timeout next = schedule("next", 10);
        Timeout nextToo = schedule("the next task, too", 20);
        clock.advanceMillis(20);
        Await.latch(blocks, "the task to block");
        Set<Timeout> left = timer.stop();
        assertTrue(interrupted.getNow(false));
        assertEquals(Set.of(next, nextToo), left);
        assertNull(ran.peek());
    }

    @Test
    void shouldKeepTheInterruptOfTheThreadThatStopsIt() {
        timer.start();
        Thread.currentThread().interrupt();
        timer.stop();
        assertTrue(Thread.interrupted());
        assertFalse(made.get(0).isAlive());
    }

    /** Only once in the lifetime of a JVM, so no other test may start that many. */
    @Test
    void shouldWarnOnceWhenManyTimersRunAtTheSameTime() {
        List<HashedWheelTimer> many = new ArrayList<>();
        try (CapturedLog log = CapturedLog.start()) {
            for (int i = 0; i < HashedWheelTimer.MANY_RUNNING_TIMERS + 5; i++) {
                HashedWheelTimer one = newTimer(0);
                many.add(one);
                one.start();
            }
            List<CapturedLog.Message> warnings = log.messages(InternalLogLevel.WARN);
            assertEquals(1, warnings.size());
            assertTrue(warnings.get(0).text().contains(HashedWheelTimer.class.getName()), warnings.toString());
        } finally {
            many.forEach(HashedWheelTimer::stop);
        }
    }

    @Test
    void shouldNameWhatIsWrongWithItsArguments() {
        assertWrong("tickDuration <= 0: 0", () -> new HashedWheelTimer(0, TimeUnit.SECONDS));
        assertWrong("2^30: 0", () -> new HashedWheelTimer(1, TimeUnit.SECONDS, 0));
        assertWrong("2^30: 1073741825", () -> new HashedWheelTimer(1, TimeUnit.SECONDS, (1 << 30) + 1));
        assertWrong("too long for 512 ticks: 1000 DAYS", () -> new HashedWheelTimer(1000, DAYS));
        assertWrong("maxPendingTimeouts < 0: -1", () -> new HashedWheelTimer(threads, null, 1, MILLISECONDS, 8, -1));
        assertThrows(NullPointerException.class, () -> new HashedWheelTimer((ThreadFactory) null));
        assertThrows(NullPointerException.class, () -> timer.newTimeout(null, 1, MILLISECONDS));
        assertThrows(NullPointerException.class, () -> timer.newTimeout(NOTHING, 1, null));
        assertTrue(made.isEmpty());
    }

    private static void assertWrong(String expectedEnd, org.junit.jupiter.api.function.Executable call) {
        String message = assertThrows(IllegalArgumentException.class, call).getMessage();
        assertTrue(message.endsWith(expectedEnd), message);
    }

    @Test
    void shouldDescribeTheStateOfATimeout() {
        Timeout timeout = timer.newTimeout(NOTHING, 1000, MILLISECONDS);
        clock.advanceMillis(400);
        assertTrue(timeout.toString().contains("PENDING, in 600 ms"), timeout.toString());
        timeout.cancel();
        clock.advanceMillis(700);
        assertTrue(timeout.toString().contains("CANCELLED, 100 ms ago"), timeout.toString());
    }

    // ---- with memory exhausted ----

    @Test
    void shouldRunTimeOutsAfterATaskAndTheLogRanOutOfMemory() throws Exception {
        try (CapturedLog log = CapturedLog.failing(() -> new OutOfMemoryError("the log's"))) {
            timer.newTimeout(
                    timeout -> {
                        throw new OutOfMemoryError("a task's");
                    },
                    0,
                    MILLISECONDS);
            schedule("later", 10);
            clock.advanceMillis(20);
            awaitRun("later");
            assertEquals(List.of(), log.messages());
        }
        assertEquals(1, made.size());
    }

    @Test
    void shouldStartAnotherThreadAfterItsThreadDied() throws Exception {
        AtomicInteger names = new AtomicInteger();
        ThreadNameDeterminer failsOnce = (current, proposed) -> {
            if (names.incrementAndGet() == 1) {
                throw new OutOfMemoryError("a test's");
            }
            return proposed;
        };
        ThreadFactory quiet = task -> {
            Thread thread = threads.newThread(task);
            thread.setUncaughtExceptionHandler((dead, e) -> {});
            return thread;
        };
        HashedWheelTimer fragile = new HashedWheelTimer(quiet, failsOnce, 10, MILLISECONDS, 8);
        try {
            fragile.newTimeout(timeout -> ran.add("first"), 0, MILLISECONDS);
            Await.end(made.get(0));
            fragile.newTimeout(timeout -> ran.add("second"), 500, MILLISECONDS);
            awaitRun("first");
            awaitRun("second");
            assertEquals(2, made.size());
        } finally {
            fragile.stop();
        }
    }
}
