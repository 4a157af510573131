package org.freshet.testing;

import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Repeatable randomness: each build tests the same numbers, {@code -Dfreshet.test.seed=N} chooses others, and {@code
 * -Dfreshet.test.seed=random} chooses new ones for each run.
 *
 * <p>There is one seed per run. {@link LeakCheck} prints it with each failed test.
 */
public final class Seeds {
    public static final String PROPERTY = "freshet.test.seed";

    private static final long SEED = seedOf(System.getProperty(PROPERTY, "20261122"));

    /** How many times more rounds than a build a run with other numbers takes. */
    private static final int OTHER_NUMBERS = 4;

    private Seeds() {}

    private static long seedOf(String value) {
        return value.equals("random") ? ThreadLocalRandom.current().nextLong() : Long.parseLong(value);
    }

    /** The seed of this run. */
    public static long seed() {
        return SEED;
    }

    /**
     * How often to repeat a random test: {@code ofABuild} times with the same numbers as in each build, which have
     * nothing new to show, and more often if the property chooses others.
     */
    public static int rounds(int ofABuild) {
        return System.getProperty(PROPERTY) == null ? ofABuild : OTHER_NUMBERS * ofABuild;
    }

    /** Random numbers that start from the run's seed, so that each test can be repeated alone. */
    public static Random random() {
        return new Random(SEED);
    }

    /** Like {@link #random()}, but a different sequence for each {@code stream}, such as a thread's index. */
    public static Random random(int stream) {
        return new Random(SEED + 0x9E3779B97F4A7C15L * (stream + 1));
    }
}
