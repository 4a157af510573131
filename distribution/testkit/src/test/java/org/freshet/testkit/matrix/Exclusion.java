package org.freshet.testkit.matrix;

/** Cells that are not part of the matrix, each for a reason. */
enum Exclusion {
    /** Its close waits for its streams to end, and without a time-out for as long as it takes. */
    SPDY_WAITS_FOR_STREAMS {
        @Override
        boolean covers(Combination combination, Promise promise, PeerKind peer) {
            boolean isGone = peer == PeerKind.VANISHES || peer == PeerKind.NEVER_READS;
            return promise == Promise.CLOSE && isGone && combination.has(Part.SPDY);
        }
    },
    /** A time-out is about what waits for the socket; a session knows none for a window that isn't opened. */
    SPDY_WINDOWS {
        @Override
        boolean covers(Combination combination, Promise promise, PeerKind peer) {
            return promise == Promise.TIME_OUT && !peer.isWellBehaved() && combination.has(Part.SPDY);
        }
    },
    /** It doesn't read while the channel isn't writable, and so doesn't get what opens the session's window. */
    SPDY_BELOW_PIPELINED_ANSWERS {
        @Override
        boolean covers(Combination combination, Promise promise, PeerKind peer) {
            return combination.isBelow(Part.SPDY, Part.PIPELINED);
        }
    },
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
