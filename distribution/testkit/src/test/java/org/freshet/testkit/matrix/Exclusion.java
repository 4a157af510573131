package org.freshet.testkit.matrix;

/** Cells that are not part of the matrix, each for a reason. */
enum Exclusion {
    /** The end of a connection doesn't wait for its last control frames, which a shaper holds; the report names them. */
    HTTP_2_ABOVE_A_SHAPER {
        @Override
        boolean covers(Combination combination, Promise promise, PeerKind peer) {
            return promise == Promise.DRAIN
                    && combination.has(Part.HTTP_2)
                    && combination.parts().get(0).name().endsWith("SHAPER");
        }
    },
    /** The drain sees the end of the connection before the executor has told the handler above, which then seems to hold it still. */
    DRAIN_BELOW_AN_EXECUTOR {
        @Override
        boolean covers(Combination combination, Promise promise, PeerKind peer) {
            return promise == Promise.DRAIN && combination.isBelow(Part.EXECUTION, Part.HTTP_2);
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
