package org.freshet.testkit.simulation;

import java.util.Arrays;

/**
 * The decisions of one run, in order: drawn from its seed, or repeated from an earlier run. A run that repeats
 * decisions and runs out of them takes 0 each time. 0 is always the simplest one: no fault, no thread switch. Shrinking
 * relies on that. For the thread that holds the {@link Baton}.
 */
public final class Choices {
    private static final int FIRST_CAPACITY = 4096;
    private static final int[] NONE = {};

    /** The decisions to repeat; null to draw. */
    private final int[] replayed;

    private int[] made = new int[FIRST_CAPACITY];
    private int size;

    private Choices(int[] replayed) {
        this.replayed = replayed;
    }

    /** Draws every decision. */
    public static Choices drawn() {
        return new Choices(null);
    }

    /** Repeats the given decisions of an earlier run, as far as they go. */
    public static Choices replayed(int[] decisions) {
        return new Choices(decisions);
    }

    /** Returns {@code drawn}, or the repeated decision, from 0 to {@code bound - 1}. */
    int next(int bound, int drawn) {
        int value = replayed == null ? drawn : size < replayed.length ? Math.min(replayed[size], bound - 1) : 0;
        if (size == made.length) {
            made = Arrays.copyOf(made, 2 * size);
        }
        made[size++] = value;
        return value;
    }

    /** Returns the decisions made so far, without zeros at the end. */
    public int[] made() {
        int end = size;
        while (end > 0 && made[end - 1] == 0) {
            end--;
        }
        return end == 0 ? NONE : Arrays.copyOf(made, end);
    }
}
