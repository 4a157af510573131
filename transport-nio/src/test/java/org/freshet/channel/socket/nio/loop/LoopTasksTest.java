package org.freshet.channel.socket.nio.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.internal.telemetry.LoopCounters;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of the tasks that are submitted to a loop. */
class LoopTasksTest {
    private final LoopCounters counters = new LoopCounters();
    private final LoopThread thread = new LoopThread();
    private final LoopSelector selector = new LoopSelector(SelectorProvider.provider(), key -> {}, counters);
    private final LoopTasks tasks = new LoopTasks(thread, selector, new LoopRecovery(), counters);
    private final List<String> ran = new ArrayList<>();

    @AfterEach
    void end() {
        thread.end();
        selector.close();
    }

    private Runnable task(String name) {
        return () -> ran.add(name);
    }

    // ---- submitting ----

    @Test
    void shouldRunATaskOfAnotherThreadLaterAndOneOfTheLoopImmediately() {
        assertFalse(tasks.isCurrentThread());
        assertTrue(tasks.execute(task("later")));
        assertEquals(List.of(), ran);
        thread.begin();
        assertTrue(tasks.isCurrentThread());
        assertTrue(tasks.execute(task("now")));
        assertEquals(List.of("now"), ran);
        tasks.run(10);
        assertEquals(List.of("now", "later"), ran);
    }

    @Test
    void shouldWakeALoopThatIsAboutToWait() {
        selector.beginSelect();
        tasks.submit(task("a"));
        assertFalse(selector.isWaiting());
    }

    @Test
    void shouldNotWakeALoopForATaskThatIsRefused() {
        tasks.close();
        selector.beginSelect();
        assertFalse(tasks.submit(task("a")));
        assertTrue(selector.isWaiting());
    }

    @Test
    void shouldRunAUsersTaskOnTheLoopUnlessItMustBeLater() {
        thread.begin();
        tasks.executeOrReject(task("now"), false);
        tasks.executeOrReject(task("later"), true);
        assertEquals(List.of("now"), ran);
        tasks.run(10);
        assertEquals(List.of("now", "later"), ran);
    }

    @Test
    void shouldThrowIfAUsersTaskIsRefused() {
        tasks.close();
        assertThrows(RejectedExecutionException.class, () -> tasks.executeOrReject(task("a"), true));
        assertThrows(RejectedExecutionException.class, () -> tasks.executeOrReject(task("a"), false));
    }

    @Test
    void shouldCompleteTheFutureOfAChannelsTask() {
        Channel channel = MemoryChannel.connected();
        ChannelFuture future = tasks.execute(channel, task("a"));
        assertSame(channel, future.getChannel());
        assertFalse(future.isDone());
        tasks.run(10);
        assertTrue(future.isSuccess());
        assertEquals(List.of("a"), ran);
    }

    @Test
    void shouldFailTheFutureOfAChannelsTaskThatIsRefused() {
        tasks.close();
        Throwable cause = Await.failure(tasks.execute(MemoryChannel.connected(), task("late")), "a task after the end");
        assertInstanceOf(RejectedExecutionException.class, cause);
        assertEquals(List.of(), ran);
    }

    // ---- running ----

    @Test
    void shouldRunNoMoreTasksThanAsked() {
        for (int i = 1; i <= 3; i++) {
            tasks.submit(task("" + i));
        }
        tasks.run(2);
        assertEquals(List.of("1", "2"), ran);
        assertEquals(1, tasks.pending(10));
        assertFalse(tasks.isEmpty());
        tasks.run(2);
        assertEquals(0, tasks.pending(10));
        assertTrue(tasks.isEmpty());
        assertEquals(3, counters.tasks());
    }

    @Test
    void shouldLogAFailureAndGoOn() {
        try (CapturedLog log = CapturedLog.start()) {
            tasks.submit(() -> {
                throw new IllegalStateException("thrown on purpose");
            });
            tasks.submit(task("next"));
            tasks.run(10);
            assertEquals(List.of("next"), ran);
            assertEquals(InternalLogLevel.ERROR, log.only().level());
            assertInstanceOf(IllegalStateException.class, log.only().cause());
        }
    }

    @Test
    void shouldForgetTheChannelOfATaskOnceItHasRun() {
        Channel channel = MemoryChannel.connected();
        List<Channel> seen = new ArrayList<>();
        tasks.submit(() -> {
            counters.beginTaskOf(channel);
            seen.add(counters.taskChannel());
        });
        tasks.run(1);
        assertEquals(List.of(channel), seen);
        assertNull(counters.taskChannel());
    }

    // ---- the end ----

    @Test
    void shouldRefuseFurtherTasksAndRunThoseAcceptedInOrder() {
        for (int i = 1; i <= 3; i++) {
            tasks.submit(task("" + i));
        }
        tasks.run(1); // so that the loop has taken the others already
        tasks.submit(task("4"));
        tasks.submit(task("5"));
        tasks.refuse();
        tasks.refuse();
        assertFalse(tasks.submit(task("late")));
        assertFalse(tasks.isEmpty());
        tasks.run(10);
        assertEquals(List.of("1", "2", "3", "4", "5"), ran);
        assertTrue(tasks.closeIfEmpty());
    }

    @Test
    void shouldRefuseFurtherTasksIfNoneWasTakenYet() {
        tasks.submit(task("1"));
        tasks.submit(task("2"));
        tasks.refuse();
        tasks.run(10);
        assertEquals(List.of("1", "2"), ran);
    }

    @Test
    void shouldCloseOnlyIfNoTaskWaits() {
        tasks.submit(task("1"));
        assertFalse(tasks.closeIfEmpty());
        tasks.run(1);
        assertTrue(tasks.closeIfEmpty());
        assertFalse(tasks.submit(task("late")));
    }

    // ---- reusable tasks ----

    @Test
    void shouldRunAReusableTaskOnceForSeveralRequests() {
        ReusableTask reusable = new ReusableTask(task("again"));
        assertTrue(reusable.submitTo(tasks));
        assertTrue(reusable.submitTo(tasks), "it is in the queue already");
        tasks.run(10);
        assertEquals(List.of("again"), ran);
        assertTrue(reusable.submitTo(tasks));
        tasks.run(10);
        assertEquals(List.of("again", "again"), ran);
    }

    @Test
    void shouldRunReusableTasksInTheOrderOfTheirRequests() {
        new ReusableTask(task("1")).submitTo(tasks);
        new ReusableTask(task("2")).submitTo(tasks);
        new ReusableTask(task("3")).submitTo(tasks);
        tasks.run(10);
        assertEquals(List.of("1", "2", "3"), ran);
    }

    @Test
    void shouldRunAReusableTaskAgainThatIsRequestedWhileItRuns() {
        ReusableTask[] reusable = new ReusableTask[1];
        reusable[0] = new ReusableTask(() -> {
            ran.add("run");
            if (ran.size() == 1) {
                reusable[0].submitTo(tasks);
            }
        });
        reusable[0].submitTo(tasks);
        tasks.run(10);
        assertEquals(List.of("run", "run"), ran);
    }

    @Test
    void shouldRefuseAReusableTaskEachTimeOnceTheLoopHasStopped() {
        ReusableTask reusable = new ReusableTask(task("late"));
        tasks.close();
        assertFalse(reusable.submitTo(tasks));
        assertFalse(reusable.submitTo(tasks));
    }
}
