package org.freshet.testkit.matrix;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.Function;

/** A row of the matrix: what must be true of every pipeline. */
enum Promise {
    /** What waits stays below the channel's limit, though the writer doesn't look at {@code isWritable()}. */
    LIMIT(LimitTrial::new, EnumSet.allOf(PeerKind.class)),
    /** What waits on all channels stays below the budget. */
    BUDGET(BudgetTrial::new, EnumSet.of(PeerKind.READS, PeerKind.READS_SLOWLY, PeerKind.NEVER_READS)),
    /** A writer that obeys {@code isWritable()} stops, resumes, and gets everything across. */
    BACK_PRESSURE(BackPressureTrial::new, EnumSet.allOf(PeerKind.class)),
    /** A drain that calls itself clean has lost nothing; another one names the loss. */
    DRAIN(DrainTrial::new, EnumSet.allOf(PeerKind.class)),
    /** A close sends what was written before it or fails those writes; after the last write's success it loses nothing. */
    CLOSE(CloseTrial::new, EnumSet.allOf(PeerKind.class)),
    /** A time-out hits a peer that takes nothing, and no other. */
    TIME_OUT(TimeOutTrial::new, EnumSet.complementOf(EnumSet.of(PeerKind.RESETS, PeerKind.HALF_CLOSES))),
    /** Every future completes once, and nothing arrives twice, damaged or out of order. */
    FUTURES(FuturesTrial::new, EnumSet.allOf(PeerKind.class)),
    /** Nothing is left of a closed connection. */
    NOTHING_LEFT(NothingLeftTrial::new, EnumSet.allOf(PeerKind.class)),
    /** Other connections of the same server are served meanwhile. */
    NEIGHBOUR(NeighbourTrial::new, EnumSet.complementOf(EnumSet.of(PeerKind.READS)));

    private final Function<Stage, Trial> trials;
    private final Set<PeerKind> peers;

    Promise(Function<Stage, Trial> trials, Set<PeerKind> peers) {
        this.trials = trials;
        this.peers = peers;
    }

    boolean appliesTo(Combination combination, PeerKind peer) {
        return peers.contains(peer);
    }

    Trial trial(Stage stage) {
        return trials.apply(stage);
    }
}
