package org.freshet.channel;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.freshet.testing.Seeds;

/**
 * Runs a few actors on one object at the same time, round after round, and counts the outcomes.
 *
 * <p>Each round has its own object and ends in one of several outcomes, each named after the interleaving that leads to
 * it. An outcome that no interleaving explains is an {@link AssertionError} of the round. How often each outcome comes
 * up depends on the machine, so nothing is asserted about it.
 */
public final class Race {
    /** One object, its actors, and the judge. */
    public interface Round {
        /** Actors run at the same time, each once. The number must be the same in every round. */
        List<Runnable> actors();

        /** Called after all actors have ended. */
        Enum<?> outcome();
    }

    /** Limits the duration of one race; more rounds find more. */
    private static final long BUDGET_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

    private static final int MAX_ROUNDS = 50_000;

    /**
     * Rounds between two synchronizations of actors and judge. In between, actors wait for each other by spinning only.
     */
    private static final int BATCH = 64;

    /** Spins before another thread gets the processor: there can be more actors than processors. */
    private static final int PATIENCE = 200;

    /** A round, and how many of its actors are ready. */
    private record Heat(Round round, List<Runnable> actors, AtomicInteger arrived) {
        Heat(Round round) {
            this(round, round.actors(), new AtomicInteger());
        }

        void act(int actor, Random random) throws Throwable {
            arrived.incrementAndGet();
            for (int spins = 0; arrived.get() < actors.size(); spins++) {
                if (spins % PATIENCE == PATIENCE - 1) {
                    Thread.yield();
                }
            }
            for (int spins = random.nextInt(8) * random.nextInt(8); spins > 0; spins--) {
                Thread.onSpinWait();
            }
            actors.get(actor).run();
        }
    }

    private final Supplier<? extends Round> rounds;
    private final CyclicBarrier start;
    private final CyclicBarrier end;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile List<Heat> batch;
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
        for (int i = 0; i < actors; i++) {
            int actor = i;
            new Thread(() -> act(actor), "actor " + i).start();
        }
        Map<Enum<?>, Integer> outcomes = new TreeMap<>();
        try {
            long startNanos = System.nanoTime();
            for (int i = 0; i < MAX_ROUNDS && System.nanoTime() - startNanos < BUDGET_NANOS; i += BATCH) {
                batch = Stream.generate(rounds).limit(BATCH).map(Heat::new).toList();
                meet(start);
                meet(end);
                for (Heat heat : batch) {
                    outcomes.merge(heat.round.outcome(), 1, Integer::sum);
                }
                if (failure.get() != null) {
                    throw new AssertionError("an actor failed", failure.get());
                }
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
            for (Heat heat : batch) {
                try {
                    heat.act(actor, random);
                } catch (Throwable t) {
                    failure.compareAndSet(null, t);
                }
            }
            meet(end);
        }
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("an actor did not return", e);
        }
    }
}
