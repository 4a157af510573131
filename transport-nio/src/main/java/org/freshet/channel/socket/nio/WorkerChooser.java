package org.freshet.channel.socket.nio;

import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;

/**
 * Chooses one of the workers by what they have to do. Any thread may call.
 *
 * @param <C> what is chosen from, in an order that does not change
 */
final class WorkerChooser<C extends WorkerChooser.Candidate> {
    /** A worker, as seen from outside. */
    interface Candidate {
        /** Whether a handler holds it. */
        boolean isStalled();

        /** Connections that it has or is about to get. */
        long load();

        /** Which part of the last time it was at work, 0 to 1. */
        double busyShare(long nowNanos);
    }

    /** Smaller differences say nothing. */
    private static final double MIN_DIFFERENCE = 0.1;

    private final List<C> candidates;
    private final WorkerSelection selection;

    /** A number from 0 to below its argument. */
    private final IntUnaryOperator random;

    /** Read once a choice: it takes longer than all the rest. */
    private final LongSupplier nanoClock;

    WorkerChooser(List<C> candidates, WorkerSelection selection, IntUnaryOperator random, LongSupplier nanoClock) {
        this.candidates = candidates;
        this.selection = selection;
        this.random = random;
        this.nanoClock = nanoClock;
    }

    /** Returns null if each candidate is held. */
    C choose() {
        return selection == WorkerSelection.LEAST_BUSY ? leastBusyOfTwo() : withFewest();
    }

    /** Begins anywhere, or the first would get the most of those that are equal. */
    private C withFewest() {
        int index = random.applyAsInt(candidates.size());
        C best = null;
        long fewest = Long.MAX_VALUE;
        for (int i = 0; i < candidates.size(); i++) {
            C candidate = candidates.get(index);
            index = after(index);
            long load = candidate.isStalled() ? Long.MAX_VALUE : candidate.load();
            if (load < fewest) {
                fewest = load;
                best = candidate;
            }
        }
        return best;
    }

    private C leastBusyOfTwo() {
        C one = drawn(null);
        C other = one == null ? null : drawn(one);
        if (other == null) {
            return one;
        }
        long nowNanos = nanoClock.getAsLong();
        double difference = one.busyShare(nowNanos) - other.busyShare(nowNanos);
        boolean isFirst = Math.abs(difference) < MIN_DIFFERENCE ? one.load() <= other.load() : difference < 0;
        return isFirst ? one : other;
    }

    /** One that is not held, and not the given one; null if there is none. */
    private C drawn(C without) {
        int index = random.applyAsInt(candidates.size());
        for (int i = 0; i < candidates.size(); i++) {
            C candidate = candidates.get(index);
            index = after(index);
            if (candidate != without && !candidate.isStalled()) {
                return candidate;
            }
        }
        return null;
    }

    private int after(int index) {
        return index + 1 == candidates.size() ? 0 : index + 1;
    }
}
