package org.freshet.testkit.simulation;

import java.util.Arrays;

/**
 * The decisions of one run, in the order in which they were made: what its seed drew, or what an earlier run decided. A run that replays
 * decisions and has no more of them takes 0 each time, which stands for the plainest one: no fault, no change of threads. That is what
 * shrinking a failure builds on. For the thread that holds the {@link Baton}.
 */
public final class Choices {
    private static final int FIRST_CAPACITY = 4096;
    private static final int[] NONE = {};

    /** Null to draw. */
    private final int[] replayed;

    private int[] made = new int[FIRST_CAPACITY];
    private int size;

    private Choices(int[] replayed) {
        this.replayed = replayed;
    }

    /** Draws. */
    public static Choices drawn() {
        return new Choices(null);
    }

    /** Decides as an earlier run did, as far as the given decisions go. */
    public static Choices replayed(int[] decisions) {
        return new Choices(decisions);
    }

    /** From 0 to {@code bound - 1}: {@code drawn}, or what is replayed. */
    int next(int bound, int drawn) {
        int value = replayed == null ? drawn : size < replayed.length ? Math.min(replayed[size], bound - 1) : 0;
        if (size == made.length) {
            made = Arrays.copyOf(made, 2 * size);
        }
        made[size++] = value;
        return value;
    }

    /** Those made so far, without zeros at the end. */
    public int[] made() {
        int end = size;
        while (end > 0 && made[end - 1] == 0) {
            end--;
        }
        return end == 0 ? NONE : Arrays.copyOf(made, end);
    }
}
