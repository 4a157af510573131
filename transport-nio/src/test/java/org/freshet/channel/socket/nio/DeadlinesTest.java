package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeadlinesTest {
    private final Deadlines deadlines = new Deadlines();
    private final List<String> ran = new ArrayList<>();

    @Test
    void shouldRunWhatIsDueInOrderOfTime() {
        deadlines.add(30, () -> ran.add("30"));
        deadlines.add(10, () -> ran.add("10"));
        deadlines.add(20, () -> ran.add("20"));

        deadlines.expire(20);
        assertEquals(List.of("10", "20"), ran);

        deadlines.expire(30);
        assertEquals(List.of("10", "20", "30"), ran);
    }

    @Test
    void shouldNeverBeEarly() {
        deadlines.add(10, () -> ran.add("10"));
        deadlines.expire(9);
        assertEquals(List.of(), ran);
    }

    @Test
    void shouldNotRunACancelledDeadline() {
        Deadlines.Deadline cancelled = deadlines.add(10, () -> ran.add("cancelled"));
        deadlines.add(10, () -> ran.add("kept"));
        cancelled.cancel();
        cancelled.cancel();
        deadlines.expire(10);
        assertEquals(List.of("kept"), ran);
    }

    @Test
    void shouldIgnoreACancelAfterTheDeadlineRan() {
        Deadlines.Deadline done = deadlines.add(10, () -> ran.add("10"));
        deadlines.expire(10);
        done.cancel();
        deadlines.add(20, () -> ran.add("20"));
        deadlines.expire(20);
        assertEquals(List.of("10", "20"), ran);
    }

    @Test
    void shouldRoundTheWaitUpSoThatTheLoopDoesNotSpinBeforeADeadline() {
        assertEquals(-1, deadlines.millisToNext(() -> 0));
        deadlines.add(1_500_000, () -> {});
        assertEquals(2, deadlines.millisToNext(() -> 0));
        assertEquals(1, deadlines.millisToNext(() -> 1_000_000));
        assertEquals(1, deadlines.millisToNext(() -> 1_499_999));
        assertEquals(0, deadlines.millisToNext(() -> 1_500_000));
    }

    @Test
    void shouldCompareTimesAcrossTheOverflowOfTheClock() {
        long now = Long.MAX_VALUE - 5;
        deadlines.add(now + 10, () -> ran.add("later"));
        deadlines.add(now + 2, () -> ran.add("sooner"));
        deadlines.expire(now + 3);
        assertEquals(List.of("sooner"), ran);
        deadlines.expire(now + 10);
        assertEquals(List.of("sooner", "later"), ran);
    }

    @Test
    void shouldLetTasksAddAndCancelDeadlines() {
        Deadlines.Deadline later = deadlines.add(20, () -> ran.add("later"));
        deadlines.add(10, () -> {
            later.cancel();
            deadlines.add(15, () -> ran.add("added"));
        });
        deadlines.expire(20);
        assertEquals(List.of("added"), ran);
    }

    @Test
    void shouldSweepCancelledDeadlinesWhenTheyAreTheMajority() {
        List<Deadlines.Deadline> cancelled = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            cancelled.add(deadlines.add(1_000_000 + i, () -> ran.add("cancelled")));
        }
        deadlines.add(2_000_000, () -> ran.add("kept"));
        cancelled.forEach(Deadlines.Deadline::cancel);
        assertEquals(2, deadlines.millisToNext(() -> 0), "the swept queue starts with the one that is kept");
        deadlines.expire(2_000_000);
        assertEquals(List.of("kept"), ran);
    }
}
