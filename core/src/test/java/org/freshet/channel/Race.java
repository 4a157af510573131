package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.freshet.testing.Seeds;

/**
 * Lets a few actors do something to one object at the same time, round after round, and counts how it ended.
 *
 * <p>Each round has an object of its own and ends in one of several outcomes, each named after the interleaving that leads
 * to it; an end that no interleaving explains is an {@link AssertionError} of the round. How often each outcome comes up
 * depends on the machine, so nothing is asserted about it.
 */
public final class Race {
    /** One object, those who act on it, and the judge. */
    public interface Round {
        /** Run at the same time, each once. As many in all rounds. */
        List<Runnable> actors();

        /** Called after all actors have ended. */
        Enum<?> outcome();
    }

    /** What one race may take; more rounds find more. */
    private static final long BUDGET_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

    private static final int MAX_ROUNDS = 20_000;

    private final Supplier<? extends Round> rounds;
    private final CyclicBarrier start;
    private final CyclicBarrier end;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile Round current;
    private volatile boolean over;

    private Race(Supplier<? extends Round> rounds, int actors) {
        this.rounds = rounds;
        start = new CyclicBarrier(actors + 1);
        end = new CyclicBarrier(actors + 1);
    }

    /** Returns how often each outcome came up. */
    public static Map<Enum<?>, Integer> run(Supplier<? extends Round> rounds) {
        int actors = rounds.get().actors().size();
        return new Race(rounds, actors).run(actors);
    }

    private Map<Enum<?>, Integer> run(int actors) {
        Thread[] threads = new Thread[actors];
        for (int i = 0; i < actors; i++) {
            int actor = i;
            threads[i] = new Thread(() -> act(actor), "actor " + i);
            threads[i].start();
        }
        Map<Enum<?>, Integer> outcomes = new TreeMap<>();
        try {
            long startNanos = System.nanoTime();
            for (int i = 0; i < MAX_ROUNDS && System.nanoTime() - startNanos < BUDGET_NANOS; i++) {
                current = rounds.get();
                meet(start);
                meet(end);
                assertEquals(null, failure.get(), () -> "seed " + Seeds.seed());
                outcomes.merge(current.outcome(), 1, Integer::sum);
            }
        } catch (AssertionError e) {
            throw new AssertionError("after " + outcomes + ", seed " + Seeds.seed(), e);
        } finally {
            over = true;
            meet(start);
        }
        return outcomes;
    }

    private void act(int actor) {
        Random random = Seeds.random(actor);
        for (meet(start); !over; meet(start)) {
            Runnable action = current.actors().get(actor);
            for (int spins = random.nextInt(200); spins > 0; spins--) {
                Thread.onSpinWait();
            }
            try {
                action.run();
            } catch (Throwable t) {
                failure.compareAndSet(null, t);
            }
            meet(end);
        }
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("an actor did not come back", e);
        }
    }
}
