package org.freshet.testkit.matrix;

/** Cells that say nothing about the library, each for a reason. */
enum Exclusion {
    ;

    /** Null for a cell that is part of the matrix. */
    static Exclusion of(Combination combination, Promise promise, PeerKind peer) {
        return null;
    }
}
