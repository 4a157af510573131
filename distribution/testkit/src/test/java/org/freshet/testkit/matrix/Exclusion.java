package org.freshet.testkit.matrix;

import java.util.Set;

/** Cells that are not part of the matrix, each for a reason. */
enum Exclusion {
    /** Its close waits for its streams to end, and without a time-out for as long as it takes. */
    SPDY_WAITS_FOR_STREAMS {
        @Override
        boolean covers(Combination combination, Promise promise, PeerKind peer) {
            return promise == Promise.CLOSE && peer == PeerKind.VANISHES && combination.has(Part.SPDY);
        }
    },
    /** The drain sees the end of the connection before the executor has told the handler above, which then seems to hold it still. */
    DRAIN_BELOW_AN_EXECUTOR {
        @Override
        boolean covers(Combination combination, Promise promise, PeerKind peer) {
            return promise == Promise.DRAIN && combination.isBelow(Part.EXECUTION, Part.HTTP_2);
        }
    },
    /** The writability of a stream doesn't know of what handlers in the stream's own pipeline hold without marks of their own. */
    HOLDERS_IN_STREAMS {
        @Override
        boolean covers(Combination combination, Promise promise, PeerKind peer) {
            return Set.of(Promise.BACK_PRESSURE, Promise.TIME_OUT).contains(promise)
                    && (combination.isBelow(Part.HTTP_2, Part.BUFFERED)
                            || combination.isBelow(Part.HTTP_2, Part.EXECUTION));
        }
    };

    abstract boolean covers(Combination combination, Promise promise, PeerKind peer);

    static boolean isExcluded(Combination combination, Promise promise, PeerKind peer) {
        for (Exclusion each : values()) {
            if (each.covers(combination, promise, peer)) {
                return true;
            }
        }
        return false;
    }
}
