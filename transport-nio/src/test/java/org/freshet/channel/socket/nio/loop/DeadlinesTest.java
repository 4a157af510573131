package org.freshet.channel.socket.nio.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeadlinesTest {
    private long nowNanos;
    private final Deadlines deadlines = new Deadlines(() -> nowNanos);
    private final List<String> ran = new ArrayList<>();

    private void expireAt(long nanos) {
        nowNanos = nanos;
        deadlines.expire();
    }

    private long millisToNextAt(long nanos) {
        nowNanos = nanos;
        return deadlines.millisToNext();
    }

    @Test
    void shouldRunDueTasksInOrderOfTime() {
        deadlines.addAt(30, () -> ran.add("30"));
        deadlines.addAt(10, () -> ran.add("10"));
        deadlines.addAt(20, () -> ran.add("20"));

        expireAt(20);
        assertEquals(List.of("10", "20"), ran);

        expireAt(30);
        assertEquals(List.of("10", "20", "30"), ran);
    }

    @Test
    void shouldNeverBeEarly() {
        deadlines.addAt(10, () -> ran.add("10"));
        expireAt(9);
        assertEquals(List.of(), ran);
    }

    @Test
    void shouldNotRunACancelledDeadline() {
        Deadlines.Deadline cancelled = deadlines.addAt(10, () -> ran.add("cancelled"));
        deadlines.addAt(10, () -> ran.add("kept"));
        cancelled.cancel();
        cancelled.cancel();
        expireAt(10);
        assertEquals(List.of("kept"), ran);
    }

    @Test
    void shouldIgnoreACancelAfterTheDeadlineRan() {
        Deadlines.Deadline done = deadlines.addAt(10, () -> ran.add("10"));
        expireAt(10);
        done.cancel();
        deadlines.addAt(20, () -> ran.add("20"));
        expireAt(20);
        assertEquals(List.of("10", "20"), ran);
    }

    @Test
    void shouldRoundTheWaitUpSoThatTheLoopDoesNotSpinBeforeADeadline() {
        assertEquals(-1, millisToNextAt(0));
        deadlines.addAt(1_500_000, () -> {});
        assertEquals(2, millisToNextAt(0));
        assertEquals(1, millisToNextAt(1_000_000));
        assertEquals(1, millisToNextAt(1_499_999));
        assertEquals(0, millisToNextAt(1_500_000));
        assertEquals(0, millisToNextAt(9_500_000), "it is late");
    }

    @Test
    void shouldCompareTimesAcrossTheOverflowOfTheClock() {
        long now = Long.MAX_VALUE - 5;
        deadlines.addAt(now + 10, () -> ran.add("later"));
        deadlines.addAt(now + 2, () -> ran.add("sooner"));
        expireAt(now + 3);
        assertEquals(List.of("sooner"), ran);
        expireAt(now + 10);
        assertEquals(List.of("sooner", "later"), ran);
    }

    @Test
    void shouldLetTasksAddAndCancelDeadlines() {
        Deadlines.Deadline later = deadlines.addAt(20, () -> ran.add("later"));
        deadlines.addAt(10, () -> {
            later.cancel();
            deadlines.addAt(15, () -> ran.add("added"));
        });
        expireAt(20);
        assertEquals(List.of("added"), ran);
    }

    @Test
    void shouldKeepADeadlineWhoseTaskRunsOutOfMemory() {
        deadlines.addAt(10, () -> {
            ran.add("tried");
            if (ran.size() == 1) {
                throw new OutOfMemoryError("thrown on purpose");
            }
        });
        assertThrows(OutOfMemoryError.class, () -> expireAt(10));
        expireAt(11);
        expireAt(12);
        assertEquals(List.of("tried", "tried"), ran);
    }

    @Test
    void shouldSweepCancelledDeadlinesWhenTheyAreTheMajority() {
        List<Deadlines.Deadline> cancelled = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            cancelled.add(deadlines.addAt(1_000_000 + i, () -> ran.add("cancelled")));
        }
        deadlines.addAt(2_000_000, () -> ran.add("kept"));
        cancelled.forEach(Deadlines.Deadline::cancel);
        assertEquals(2, millisToNextAt(0), "the swept queue starts with the remaining one");
        expireAt(2_000_000);
        assertEquals(List.of("kept"), ran);
    }

    @Test
    void shouldRunATaskSoManyMillisecondsFromNow() {
        nowNanos = 7;
        assertEquals(7, deadlines.nowNanos());
        Deadlines.Deadline cancelled = deadlines.addIn(3, () -> ran.add("cancelled"));
        deadlines.addIn(3, () -> ran.add("3 ms"));
        cancelled.cancel();
        expireAt(3_000_006);
        assertEquals(List.of(), ran);
        expireAt(3_000_007);
        assertEquals(List.of("3 ms"), ran);
    }

    @Test
    void shouldNotReadTheClockIfThereIsNothingToExpire() {
        Deadlines idle = new Deadlines(() -> {
            throw new AssertionError("the clock was read");
        });
        idle.expire();
        assertEquals(-1, idle.millisToNext());
    }

    // ---- sweeping: a wait shows whether cancelled deadlines are still in the queue ----

    private List<Deadlines.Deadline> addAtMillis(int millis, int count) {
        List<Deadlines.Deadline> added = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            added.add(deadlines.addAt(millis * 1_000_000L, () -> ran.add(millis + " ms")));
        }
        return added;
    }

    private static void cancel(List<Deadlines.Deadline> some) {
        some.forEach(Deadlines.Deadline::cancel);
    }

    @Test
    void shouldSweepOnlyWhenEnoughAreCancelled() {
        List<Deadlines.Deadline> all = addAtMillis(1, 64);
        cancel(all.subList(0, 63));
        all.get(0).cancel();
        assertEquals(1, millisToNextAt(0));
        all.get(63).cancel();
        assertEquals(-1, millisToNextAt(0));
    }

    @Test
    void shouldSweepOnlyWhenMoreThanHalfAreCancelled() {
        List<Deadlines.Deadline> early = addAtMillis(1, 101);
        addAtMillis(2, 99);
        cancel(early.subList(0, 100));
        early.get(100).cancel();
        assertEquals(2, millisToNextAt(0));

        List<Deadlines.Deadline> earlier = addAtMillis(1, 99);
        cancel(earlier);
        assertEquals(1, millisToNextAt(0), "half of them");
    }

    @Test
    void shouldNotCountCancelledDeadlinesThatHaveLeftTheQueue() {
        cancel(addAtMillis(1, 63));
        expireAt(1_000_000);
        cancel(addAtMillis(2, 1));
        assertEquals(1, millisToNextAt(1_000_000));
    }

    @Test
    void shouldNotCountACancelAfterTheDeadlineRan() {
        List<Deadlines.Deadline> done = addAtMillis(1, 63);
        expireAt(1_000_000);
        cancel(done);
        cancel(addAtMillis(2, 1));
        assertEquals(1, millisToNextAt(1_000_000));
    }
}
