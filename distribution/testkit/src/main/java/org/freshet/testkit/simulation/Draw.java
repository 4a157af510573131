package org.freshet.testkit.simulation;

import java.util.List;

/**
 * Random numbers determined by a seed, the same on every JDK. For the thread that holds the {@link Baton}.
 *
 * <p>The generator is SplitMix64, written out here because the generators of {@code java.util} may change between
 * releases. 0 is always the simplest outcome, see {@link Choices}.
 */
public final class Draw {
    private static final long GAMMA = 0x9E3779B97F4A7C15L;

    private final Choices choices;
    private long state;

    public Draw(long seed, Choices choices) {
        state = seed;
        this.choices = choices;
    }

    private long next() {
        state += GAMMA;
        long mixed = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    /** Returns a number from 0 to {@code bound - 1}. */
    public int below(int bound) {
        return choices.next(bound, (int) ((next() >>> 33) * bound >>> 31));
    }

    /** Returns a number from {@code low} to {@code high}, both included. */
    public int between(int low, int high) {
        return low + below(high - low + 1);
    }

    public boolean chance(int perMille) {
        return perMille > 0 && below(1000) >= 1000 - perMille;
    }

    /** Returns true once in this many draws, on average. */
    public boolean oneIn(int draws) {
        return below(draws) == draws - 1;
    }

    /** Always true, except in a run that is being shrunk: for things that may be left out of it. */
    public boolean isKept() {
        return choices.next(2, 1) == 1;
    }

    public <T> T oneOf(List<T> values) {
        return values.get(below(values.size()));
    }

    public int oneOf(int... values) {
        return values[below(values.length)];
    }

    /** Returns a separate generator, so that draws in one part don't change the numbers of another. */
    public Draw fork() {
        return new Draw(next(), choices);
    }
}
