package org.freshet.testkit;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.freshet.testkit.simulation.Choices;
import org.freshet.testkit.simulation.NoEnd;
import org.freshet.testkit.simulation.Trace;
import org.opentest4j.TestAbortedException;

/** Runs a test body with one seed after the other until one fails, then shrinks that run. Used by one thread. */
final class SeedSearch {
    /** The test for one seed: sets up a network, runs it, and asserts. */
    @FunctionalInterface
    interface Body {
        void run(SimulatedNetwork network) throws Throwable;
    }

    /**
     * The result of one run.
     *
     * @param failure null if it passed
     */
    record Outcome(Throwable failure, Trace trace, int[] choices) {}

    /** A failing seed: its first run, and the shortest run found that fails the same way. */
    record Found(long seed, Outcome first, Outcome shortest) {
        /** Returns the error to report to JUnit. */
        Throwable report(String howToRepeat, int lines) {
            Throwable failure = shortest.failure();
            if (failure instanceof TestAbortedException) {
                return failure;
            }
            return new AssertionError(
                    "seed " + seed + ": " + failure.getMessage() + "\n" + end(lines) + "To repeat it: " + howToRepeat
                            + seed,
                    failure);
        }

        private String end(int lines) {
            String tail = shortest.trace().tail(lines);
            return shortest.failure() instanceof Differing
                    ? ""
                    : shortest == first
                            ? "The end of the run, which has " + first.trace().size() + " events:\n" + tail
                            : "The shortest run found that fails like this has "
                                    + shortest.trace().size() + " events (the first had "
                                    + first.trace().size() + "). Its end:\n"
                                    + tail;
        }
    }

    /** How long to wait after a failure for a thread from outside that may be the reason. */
    private static final int OUTSIDER_LOOKS = 30;

    private static final int OUTSIDER_LOOK_MILLIS = 10;

    /** Two runs of a seed differ, or only the second fails. */
    private static final class Differing extends AssertionError {
        private static final long serialVersionUID = 1;

        /** @param cause the second run's failure; null if it passed */
        Differing(String message, Throwable cause) {
            super(message, cause);
        }
    }

    private final Body body;
    private final int shrinkRuns;

    /** Equal if all runs did the same. */
    private long hash;

    SeedSearch(Body body, int shrinkRuns) {
        this.body = body;
        this.shrinkRuns = shrinkRuns;
    }

    /** Returns null if all seeds pass. The first seed runs twice: a failure that can't be repeated would be useless. */
    Found search(long firstSeed, int seeds) {
        for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
            Outcome outcome = run(seed);
            hash = 31 * hash + outcome.trace().hash();
            if (outcome.failure() == null && seed == firstSeed) {
                outcome = compared(seed, outcome);
            }
            if (outcome.failure() != null) {
                return new Found(seed, outcome, mayShrink(outcome) ? shrunk(seed, outcome) : outcome);
            }
        }
        return null;
    }

    /** Returns a hash over the traces of all seeds so far, to compare JDKs, or the code before and after a change. */
    long hash() {
        return hash;
    }

    private static boolean mayShrink(Outcome outcome) {
        return !(outcome.failure() instanceof NoEnd || outcome.failure() instanceof Differing);
    }

    /** The first run with a seed. */
    private Outcome run(long seed) {
        SimulatedNetwork network = new SimulatedNetwork(seed, Choices.drawn());
        Outcome outcome = run(network);
        AssertionError outsider = outcome.failure() == null ? null : awaitOutsider(network);
        return outsider == null
                ? outcome
                : new Outcome(outsider, outcome.trace(), network.choices().made());
    }

    private static AssertionError awaitOutsider(SimulatedNetwork network) {
        for (int i = 0; i < OUTSIDER_LOOKS && network.outsider() == null; i++) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(OUTSIDER_LOOK_MILLIS));
        }
        return network.outsider();
    }

    private Outcome run(SimulatedNetwork network) {
        Throwable failure = null;
        try {
            body.run(network);
            if (!network.hasRun()) {
                throw new IllegalStateException("the test has not called run() of its network: nothing was tested");
            }
        } catch (Throwable e) {
            failure = e;
        } finally {
            network.end();
        }
        return new Outcome(failure, network.trace(), network.choices().made());
    }

    /** Runs a seed that has passed again. */
    private Outcome compared(long seed, Outcome first) {
        Outcome second = run(seed);
        int line = first.trace().firstDifference(second.trace());
        if (line < 0 && second.failure() == null) {
            return first;
        }
        String difference = line < 0
                ? "the second run of seed " + seed + " failed, the first did not, although both had the same events:"
                        + " something depends on what an earlier run left (such as a static field), or on bytes that"
                        + " differ from run to run. The failure: " + second.failure()
                : whereDifferent(seed, line, first.trace(), second.trace());
        return new Outcome(new Differing(difference, second.failure()), first.trace(), first.choices());
    }

    private String whereDifferent(long seed, int line, Trace one, Trace other) {
        return "two runs of seed " + seed
                + " differ, so a failure couldn't be repeated: something depends on the system's clock,"
                + " random numbers, another thread, what an earlier run left (such as a static field),"
                + " or the order of a hash set or map of objects without hashCode()."
                + placeOf(seed, line) + "\nOne run up to the first difference:\n"
                + one.around(line) + "and the other:\n" + other.around(line);
    }

    /** Runs a seed again to find the line of the program that leads to an event. */
    private String placeOf(long seed, int event) {
        SimulatedNetwork network = new SimulatedNetwork(seed, Choices.drawn());
        network.trace().want(event);
        run(network);
        return network.trace().place();
    }

    private Outcome shrunk(long seed, Outcome found) {
        return new Shrinking(choices -> run(new SimulatedNetwork(seed, Choices.replayed(choices))), found)
                .shortest(shrinkRuns);
    }

    /**
     * Looks for a shorter run that fails in the same way: it repeats a run's decisions, but replaces some with 0, the
     * simplest one, or leaves them out. The result depends on the number of attempts allowed, never on the speed of the
     * machine.
     */
    private static final class Shrinking {
        /** Runs with the given decisions. */
        @FunctionalInterface
        interface Runs {
            Outcome run(int[] choices);
        }

        private final Runs runs;
        private final String signature;
        private Outcome best;
        private int runsLeft;

        Shrinking(Runs runs, Outcome found) {
            this.runs = runs;
            this.best = found;
            signature = signatureOf(found.failure());
        }

        /**
         * Two failures count as the same if their type and first line are the same, apart from numbers and quoted
         * texts.
         */
        private static String signatureOf(Throwable failure) {
            String message = String.valueOf(failure.getMessage());
            return failure.getClass().getName()
                    + message.lines()
                            .findFirst()
                            .orElse("")
                            .replaceAll("[0-9]+", "#")
                            .replaceAll("\".*\"", "\"\"");
        }

        Outcome shortest(int maxRuns) {
            runsLeft = maxRuns;
            if (mayRun()) {
                truncate();
            }
            int before = Integer.MAX_VALUE;
            while (best.trace().size() < before && mayRun()) {
                before = best.trace().size();
                for (int block = Math.max(1, best.choices().length / 4); block >= 1 && mayRun(); block /= 2) {
                    leaveOut(block);
                    replaceByZero(block);
                }
            }
            return best;
        }

        private boolean mayRun() {
            return runsLeft > 0;
        }

        /** Keeps as few of the first decisions as possible. */
        private void truncate() {
            int tooFew = -1;
            int enough = best.choices().length;
            while (enough - tooFew > 1 && mayRun()) {
                int middle = tooFew < 0 ? 0 : (tooFew + enough) >>> 1;
                if (attempt(Arrays.copyOf(best.choices(), Math.min(middle, best.choices().length)))) {
                    enough = Math.min(middle, best.choices().length);
                } else {
                    tooFew = middle;
                }
            }
        }

        private void leaveOut(int block) {
            for (int from = best.choices().length - block; from >= 0 && mayRun(); from -= block) {
                int[] now = best.choices();
                if (from + block <= now.length) {
                    int[] fewer = new int[now.length - block];
                    System.arraycopy(now, 0, fewer, 0, from);
                    System.arraycopy(now, from + block, fewer, from, now.length - from - block);
                    attempt(fewer);
                }
            }
        }

        private void replaceByZero(int block) {
            for (int from = 0; from < best.choices().length && mayRun(); from += block) {
                int[] plainer = best.choices().clone();
                int to = Math.min(from + block, plainer.length);
                if (!isZero(plainer, from, to)) {
                    Arrays.fill(plainer, from, to, 0);
                    attempt(plainer);
                }
            }
        }

        private static boolean isZero(int[] choices, int from, int to) {
            for (int i = from; i < to; i++) {
                if (choices[i] != 0) {
                    return false;
                }
            }
            return true;
        }

        /** Returns whether the run fails in the same way and isn't longer. */
        private boolean attempt(int[] choices) {
            runsLeft--;
            Outcome outcome = runs.run(choices);
            boolean isBetter = outcome.failure() != null
                    && signatureOf(outcome.failure()).equals(signature)
                    && outcome.trace().size() <= best.trace().size();
            if (isBetter) {
                best = outcome;
            }
            return isBetter;
        }
    }
}
