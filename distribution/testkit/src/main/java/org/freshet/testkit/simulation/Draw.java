package org.freshet.testkit.simulation;

import java.util.List;

/**
 * Random numbers that a seed determines, on every JDK alike. For the thread that holds the {@link Baton}.
 *
 * <p>The generator is SplitMix64, written out: what {@code java.util} derives from a seed is free to differ between releases. 0 is always
 * the plainest outcome, see {@link Choices}.
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

    /** From 0 to {@code bound - 1}. */
    public int below(int bound) {
        return choices.next(bound, (int) ((next() >>> 33) * bound >>> 31));
    }

    /** From {@code low} to {@code high}, both included. */
    public int between(int low, int high) {
        return low + below(high - low + 1);
    }

    public boolean chance(int perMille) {
        return perMille > 0 && below(1000) >= 1000 - perMille;
    }

    /** True once in so many draws. */
    public boolean oneIn(int draws) {
        return below(draws) == draws - 1;
    }

    /** Always true, except in a run that is being shrunk: for what may be left out of it. */
    public boolean isKept() {
        return choices.next(2, 1) == 1;
    }

    public <T> T oneOf(List<T> values) {
        return values.get(below(values.size()));
    }

    public int oneOf(int... values) {
        return values[below(values.length)];
    }

    /** A generator of its own, so that what one part draws leaves the numbers of another as they are. */
    public Draw fork() {
        return new Draw(next(), choices);
    }
}
