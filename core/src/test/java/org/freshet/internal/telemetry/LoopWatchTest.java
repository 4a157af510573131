package org.freshet.internal.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.freshet.channel.Channel;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.Test;

/** When a loop counts as stuck. The tests supply the clock and the checks. */
class LoopWatchTest {
    private static final long MILLI = 1_000_000;
    private static final long INTERVAL = 500 * MILLI;

    private long nowNanos = 1;
    private final LoopWatch watch = new LoopWatch(() -> nowNanos);
    private final FakeLoop loop = new FakeLoop();
    private final List<StallReport> reports = new ArrayList<>();

    LoopWatchTest() {
        watch.setLimitNanos(1000 * MILLI);
        watch.setListener(reports::add);
        watch.add(loop);
        watch.begin();
    }

    private void look() {
        nowNanos += INTERVAL;
        watch.look();
    }

    private List<Long> reportedMillis() {
        return reports.stream().map(report -> report.nanos() / MILLI).toList();
    }

    @Test
    void shouldReportALoopWithoutAStepForTheTimeLimit() {
        look();
        look();
        assertEquals(List.of(), reports);
        assertFalse(loop.counters.isStalled());
        look();
        assertEquals(List.of(1000L), reportedMillis());
        assertTrue(loop.counters.isStalled());
        assertEquals(1, watch.stalls(loop));
        assertEquals(Thread.currentThread(), reports.get(0).thread());
    }

    @Test
    void shouldReportAgainWheneverTheTimeHasDoubled() {
        for (int i = 0; i < 18; i++) {
            look();
        }
        assertEquals(List.of(1000L, 2000L, 4000L, 8000L), reportedMillis());
        assertEquals(1, watch.stalls(loop));
    }

    @Test
    void shouldReportTheEndOnce() {
        for (int i = 0; i < 3; i++) {
            look();
        }
        loop.counters.beginTask();
        look();
        look();
        assertEquals(List.of(1000L, 1500L), reportedMillis());
        assertTrue(reports.get(1).isOver());
        assertFalse(loop.counters.isStalled());
    }

    @Test
    void shouldReportTheEndWhenTheLoopHasTerminated() {
        for (int i = 0; i < 3; i++) {
            look();
        }
        nowNanos += 200 * MILLI;
        watch.unregister(loop);
        watch.unregister(loop);
        look();
        assertEquals(List.of(1000L, 1200L), reportedMillis());
        assertTrue(reports.get(1).isOver());
    }

    @Test
    void shouldNotReportALoopThatMerelyTerminates() {
        look();
        watch.unregister(loop);
        look();
        look();
        look();
        assertEquals(List.of(), reports);
    }

    @Test
    void shouldNotReportALoopThatIsMerelyBusy() {
        for (int i = 0; i < 20; i++) {
            for (int step = 0; step < 500; step++) {
                loop.counters.beginChannel(step);
            }
            look();
        }
        assertEquals(List.of(), reports);
    }

    @Test
    void shouldNotReportALoopThatIsWaiting() {
        loop.isWaiting = true;
        for (int i = 0; i < 20; i++) {
            look();
        }
        assertEquals(List.of(), reports);
    }

    /** As when the garbage collector or the machine has stopped all threads. */
    @Test
    void shouldNotCountItsOwnDelay() {
        look();
        look();
        nowNanos += 60_000 * MILLI;
        watch.look();
        look();
        assertEquals(List.of(), reports);
        look();
        assertEquals(List.of(1000L), reportedMillis());
    }

    @Test
    void shouldNotCountThePartsOfManySmallDelays() {
        look();
        for (int i = 0; i < 2; i++) {
            nowNanos += INTERVAL + 400 * MILLI;
            watch.look();
        }
        assertEquals(List.of(1000L), reportedMillis());
    }

    @Test
    void shouldDropItsFindingIfTheLoopHasContinuedMeanwhile() {
        look();
        look();
        loop.beforeStack = loop.counters::beginTask;
        look();
        assertEquals(List.of(), reports);
        assertEquals(0, watch.stalls(loop));
    }

    @Test
    void shouldKeepWatchingWhenAListenerThrows() {
        watch.setListener(report -> {
            reports.add(report);
            throw new IllegalStateException("thrown on purpose");
        });
        try (CapturedLog log = CapturedLog.start()) {
            for (int i = 0; i < 5; i++) {
                look();
            }
            assertEquals(List.of(1000L, 2000L), reportedMillis());
            assertEquals(2, log.messages(InternalLogLevel.WARN).size());
        }
    }

    @Test
    void shouldReportNothingWithoutALimit() {
        watch.setLimitNanos(0);
        watch.begin();
        for (int i = 0; i < 20; i++) {
            nowNanos += 1000 * MILLI;
            watch.look();
        }
        assertEquals(List.of(), reports);
    }

    @Test
    void shouldMeasureTaskDelayUnlessTheLoopIsAsleep() {
        loop.isWaiting = true;
        look();
        assertEquals(0, loop.tasks.size());
        loop.isWaiting = false;
        look();
        look();
        assertEquals(1, loop.tasks.size(), "one at a time");
        loop.tasks.remove(0).run();
        assertEquals(INTERVAL, loop.counters.queueDelays().sumNanos());
        look();
        assertEquals(1, loop.tasks.size());
    }

    @Test
    void shouldLogOneWarningPerClassAndOneLineWhenItIsOver() {
        watch.setListener(new StallLog(() -> nowNanos));
        try (CapturedLog log = CapturedLog.start()) {
            for (int i = 0; i < 10; i++) {
                look();
            }
            loop.counters.beginTask();
            look();
            for (int i = 0; i < 10; i++) {
                look();
            }
            List<CapturedLog.Message> warnings = log.messages(InternalLogLevel.WARN);
            assertEquals(1, warnings.size(), warnings::toString);
            String text = warnings.get(0).text();
            assertTrue(text.contains(Thread.currentThread().getName()), text);
            assertTrue(text.contains("1,000 ms; 2 other channels wait"), text);
            assertTrue(warnings.get(0).cause().getStackTrace().length > 0);
            List<CapturedLog.Message> infos = log.messages(InternalLogLevel.INFO);
            assertEquals(1, infos.size(), infos::toString);
            assertTrue(infos.get(0).text().contains("continues after"), infos::toString);
        }
    }

    /** Runs on the thread of the test. */
    private static final class FakeLoop implements WatchedLoop {
        final LoopCounters counters = new LoopCounters();
        final List<Runnable> tasks = new ArrayList<>();
        boolean isWaiting;
        Runnable beforeStack = () -> {};
        Predicate<Runnable> submission = tasks::add;
        Thread thread = Thread.currentThread();

        @Override
        public String role() {
            return "worker";
        }

        @Override
        public Thread thread() {
            beforeStack.run();
            return thread;
        }

        @Override
        public boolean isWaiting() {
            return isWaiting;
        }

        @Override
        public LoopCounters counters() {
            return counters;
        }

        @Override
        public int channelCount() {
            return 2;
        }

        @Override
        public int pendingTasks() {
            return tasks.size();
        }

        @Override
        public Channel channel(int id) {
            return null;
        }

        @Override
        public boolean submit(Runnable task) {
            return submission.test(task);
        }
    }

    // ---- with memory exhausted ----

    @Test
    void shouldContinueAfterAListenerAndTheLogRanOutOfMemory() {
        try (CapturedLog log = CapturedLog.failing(() -> new OutOfMemoryError("the log's"))) {
            watch.setListener(report -> {
                throw new OutOfMemoryError("a listener's");
            });
            for (int i = 0; i < 3; i++) {
                look();
            }
            assertEquals(List.of(), log.messages());
        }
        watch.setListener(reports::add);
        look();
        look();
        assertEquals(List.of(2000L), reportedMillis());
    }

    @Test
    void shouldCheckALoopEvenIfAnotherFails() {
        for (int i = 0; i < 8; i++) {
            FakeLoop broken = new FakeLoop();
            broken.beforeStack = () -> {
                throw new OutOfMemoryError("a loop's");
            };
            watch.add(broken);
        }
        try (CapturedLog log = CapturedLog.start()) {
            for (int i = 0; i < 4; i++) {
                look();
            }
            assertFalse(log.messages().isEmpty());
        }
        assertEquals(List.of(1000L), reportedMillis());
    }

    /** Otherwise the loop's thread would end, and its channels would hang. */
    @Test
    void shouldThrowNothingWhenALoopCannotBeWatched() {
        try (CapturedLog log = CapturedLog.failing(() -> new OutOfMemoryError("the log's"))) {
            watch.register(null);
            assertEquals(List.of(), log.messages());
        }
    }

    // ---- a machine without time ----

    @Test
    void shouldNotReportALoopThatWaitsInItsSelector() throws Exception {
        try (Selector selector = Selector.open()) {
            Thread waiting = new Thread(() -> select(selector));
            waiting.start();
            Await.until(
                    () -> Arrays.toString(waiting.getStackTrace()).contains("lockAndDoSelect"), "the thread to select");
            loop.thread = waiting;
            for (int i = 0; i < 6; i++) {
                look();
            }
            selector.wakeup();
            Await.end(waiting);
        }
        assertEquals(List.of(), reports);
        assertEquals(0, watch.stalls(loop));
    }

    private static void select(Selector selector) {
        try {
            selector.select();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldGiveNoAdviceWhenTheCauseIsUnknown() {
        String text = StallLog.describe(new StallReport(
                "loop", Thread.currentThread(), null, new StackTraceElement[0], null, 3, 1000 * MILLI, false));
        assertEquals("loop has been in its own code for 1,000 ms; 3 other channels wait.", text);
    }

    /** As when the loop runs the probe before {@code submit} has returned, or has accepted none. */
    @Test
    void shouldMeasureAgainAfterAProbeThatRanEarlyOrFailed() {
        loop.submission = task -> {
            task.run();
            return true;
        };
        look();
        look();
        assertEquals(2, loop.counters.queueDelays().counts()[0]);
        loop.submission = task -> false;
        look();
        loop.submission = task -> {
            throw new OutOfMemoryError("a loop's");
        };
        try (CapturedLog log = CapturedLog.start()) {
            look();
            assertEquals(1, log.messages().size());
        }
        loop.submission = loop.tasks::add;
        look();
        assertEquals(1, loop.tasks.size());
    }
}
