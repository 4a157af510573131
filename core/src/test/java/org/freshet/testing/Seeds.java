package org.freshet.testing;

import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Randomness that can be repeated: each build tests the same numbers, {@code -Dfreshet.test.seed=N} others, and
 * {@code -Dfreshet.test.seed=random} such as no run has tested before.
 *
 * <p>The seed is one for a run. {@link LeakCheck} prints it beside each failed test.
 */
public final class Seeds {
    public static final String PROPERTY = "freshet.test.seed";

    private static final long SEED = seedOf(System.getProperty(PROPERTY, "20261122"));

    /** How many times the rounds of a build a run with other numbers takes. */
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
     * How often to repeat what random numbers decide: {@code ofABuild} times where they are the same as in each build before, which has
     * shown what they can, and more often where the property asks for others.
     */
    public static int rounds(int ofABuild) {
        return System.getProperty(PROPERTY) == null ? ofABuild : OTHER_NUMBERS * ofABuild;
    }

    /** Numbers that begin anew from the run's seed, so that each test can be repeated alone. */
    public static Random random() {
        return new Random(SEED);
    }

    /** As {@link #random()}, but another row of numbers for each {@code stream}, such as a thread's index. */
    public static Random random(int stream) {
        return new Random(SEED + 0x9E3779B97F4A7C15L * (stream + 1));
    }
}
