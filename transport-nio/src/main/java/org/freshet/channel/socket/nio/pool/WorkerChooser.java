package org.freshet.channel.socket.nio.pool;

import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * Chooses the worker that has the fewest connections. Any thread may call.
 *
 * @param <C> what is chosen from, in an order that does not change
 */
public final class WorkerChooser<C extends WorkerChooser.Candidate> {
    /** A worker, as seen from outside. */
    public interface Candidate {
        /** Whether a handler holds it. */
        boolean isStalled();

        /** Connections that it has or is about to get. */
        long load();
    }

    private final List<C> candidates;

    /** A number from 0 to below its argument. */
    private final IntUnaryOperator random;

    public WorkerChooser(List<C> candidates, IntUnaryOperator random) {
        this.candidates = candidates;
        this.random = random;
    }

    /** Returns null if each candidate is held. Begins anywhere, or the first would get the most of those that are equal. */
    public C choose() {
        int first = random.applyAsInt(candidates.size());
        C best = null;
        long fewest = Long.MAX_VALUE;
        for (int i = 0; i < candidates.size(); i++) {
            C candidate = candidates.get((first + i) % candidates.size());
            long load = candidate.isStalled() ? Long.MAX_VALUE : candidate.load();
            if (load < fewest) {
                fewest = load;
                best = candidate;
            }
        }
        return best;
    }
}
