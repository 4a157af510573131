package org.freshet.testing;

import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Randomness that can be repeated: {@code -Dfreshet.test.seed=N} gives every test the same numbers again.
 *
 * <p>The seed is drawn once for a run. {@link LeakCheck} prints it beside each failed test.
 */
public final class Seeds {
    public static final String PROPERTY = "freshet.test.seed";

    private static final long SEED =
            Long.getLong(PROPERTY, ThreadLocalRandom.current().nextLong());

    private Seeds() {}

    /** The seed of this run. */
    public static long seed() {
        return SEED;
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
