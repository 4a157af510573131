package org.freshet.testkit.matrix;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.Function;

/** A row of the matrix: a guarantee of every pipeline. */
enum Promise {
    /** The backlog stays below the channel's limit, although the writer doesn't check {@code isWritable()}. */
    LIMIT(LimitTrial::new, EnumSet.allOf(PeerKind.class)),
    /** The backlogs of all channels stay below the budget. */
    BUDGET(BudgetTrial::new, EnumSet.of(PeerKind.READS, PeerKind.READS_SLOWLY, PeerKind.NEVER_READS)),
    /** A writer that respects {@code isWritable()} stops, resumes, and delivers everything. */
    BACK_PRESSURE(BackPressureTrial::new, EnumSet.allOf(PeerKind.class)),
    /** A drain that reports itself clean has lost nothing; any other one names the loss. */
    DRAIN(DrainTrial::new, EnumSet.allOf(PeerKind.class)),
    /** A close sends earlier writes or fails them; after the last write has succeeded, it loses nothing. */
    CLOSE(CloseTrial::new, EnumSet.allOf(PeerKind.class)),
    /** A time-out hits a peer that reads nothing, and no other. */
    TIME_OUT(TimeOutTrial::new, EnumSet.complementOf(EnumSet.of(PeerKind.RESETS, PeerKind.HALF_CLOSES))),
    /** Every future completes once, and nothing arrives twice, damaged or out of order. */
    FUTURES(FuturesTrial::new, EnumSet.allOf(PeerKind.class)),
    /** A peer never takes an answer for whole whose content is shorter or longer than declared. */
    LENGTH(LengthTrial::new, EnumSet.allOf(PeerKind.class)) {
        @Override
        boolean appliesTo(Combination combination, PeerKind peer) {
            return combination.kind() == Kind.HTTP && super.appliesTo(combination, peer);
        }
    },
    /** A closed connection leaves nothing. */
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
