package org.freshet.internal;

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

class EventTurnTest {
    private final EventTurn turn = new EventTurn();

    @Test
    void shouldRunATaskAtOnceWhileTheTurnIsFree() {
        AtomicBoolean mine = new AtomicBoolean();
        turn.later(() -> mine.set(turn.isMine()));
        assertTrue(mine.get());
        assertFalse(turn.isMine());
    }

    @Test
    void shouldRunWhatATaskBringsAfterThatTask() {
        List<String> order = new ArrayList<>();
        turn.later(() -> {
            turn.later(() -> order.add("second"));
            turn.later(() -> order.add("third"));
            order.add("first");
        });
        assertEquals(List.of("first", "second", "third"), order);
    }

    @Test
    void shouldLeaveATaskToTheThreadThatHasTheTurn() {
        AtomicReference<Thread> ranOn = new AtomicReference<>();
        turn.take();
        Thread other = new Thread(() -> turn.later(() -> ranOn.set(Thread.currentThread())));
        other.start();
        Await.end(other);
        assertEquals(null, ranOn.get());
        turn.giveBack();
        assertEquals(Thread.currentThread(), ranOn.get());
    }

    @Test
    void shouldRunWhatWasBroughtBeforeTheTurnIsTaken() {
        List<String> order = new ArrayList<>();
        turn.bring(() -> order.add("brought"));
        turn.take();
        order.add("taken");
        turn.giveBack();
        assertEquals(List.of("brought", "taken"), order);
    }

    @Test
    void shouldGiveTheTurnToTheOneThatWaitsBeforeTheRestOfTheTasks() {
        List<String> order = new ArrayList<>();
        CountDownLatch started = new CountDownLatch(1);
        Thread claimant = new Thread(() -> {
            started.countDown();
            turn.take();
            order.add("claimant");
            turn.giveBack();
        });
        turn.later(() -> {
            claimant.start();
            Await.latch(started, "the claimant");
            Await.until(() -> claimant.getState() == Thread.State.WAITING, "the claimant to wait");
            turn.later(() -> order.add("task on " + Thread.currentThread().getName()));
        });
        Await.end(claimant);
        assertEquals(List.of("task on " + claimant.getName(), "claimant"), order);
    }

    @Test
    void shouldRunNoMoreThanSoManyTasks() {
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 5; i++) {
            turn.bring(ran::incrementAndGet);
        }
        assertTrue(turn.runBrought(2));
        assertEquals(2, ran.get());
        assertTrue(turn.runBrought(2));
        assertFalse(turn.runBrought(2));
        assertEquals(5, ran.get());
    }

    @Test
    void shouldGoOnAfterATaskThatThrows() {
        AtomicBoolean ran = new AtomicBoolean();
        try (CapturedLog log = CapturedLog.start()) {
            turn.later(() -> {
                turn.later(() -> ran.set(true));
                throw new IllegalStateException("no");
            });
            assertEquals(1, log.messages(InternalLogLevel.ERROR).size());
        }
        assertTrue(ran.get());
        assertFalse(turn.isMine());
    }

    @Test
    void shouldWaitThroughAnInterruptAndKeepIt() {
        AtomicBoolean interrupted = new AtomicBoolean();
        CountDownLatch taken = new CountDownLatch(1);
        turn.take();
        Thread claimant = new Thread(() -> {
            Thread.currentThread().interrupt();
            turn.take();
            interrupted.set(Thread.interrupted());
            turn.giveBack();
            taken.countDown();
        });
        claimant.start();
        Await.until(() -> claimant.getState() == Thread.State.WAITING, "the claimant to wait");
        turn.giveBack();
        Await.latch(taken, "the turn");
        Await.end(claimant);
        assertTrue(interrupted.get());
    }

    /** Three threads bring tasks while a fourth takes the turn for itself, again and again; nothing is lost, nothing overlaps. */
    @Test
    void shouldNeverRunTwoTasksAtATimeNorLoseOne() {
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
                    turn.later(event);
                }
            }));
        }
        threads.add(new Thread(() -> {
            for (int i = 0; i < tasks; i++) {
                turn.take();
                event.run();
                turn.giveBack();
            }
        }));
        threads.forEach(Thread::start);
        threads.forEach(Await::end);
        assertEquals((bringers + 1) * tasks, ran.get());
        assertEquals(0, overlaps.get());
        assertFalse(turn.isMine());
    }
}
