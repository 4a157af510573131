package org.freshet.testkit.matrix;

/** How the reader's side behaves once it has asked. */
enum PeerKind {
    READS,
    /** At 1 KiB per second. */
    READS_SLOWLY,
    NEVER_READS,
    /** In the middle. */
    RESETS,
    /** Ends its output, and reads on. */
    HALF_CLOSES,
    /** In the middle: nothing comes or goes any more. */
    VANISHES;

    /** Whether all that is sent arrives, if the connection isn't closed. */
    boolean isWellBehaved() {
        return this == READS || this == READS_SLOWLY;
    }

    /** Whether what has left the writer's side arrives. */
    boolean readsAll() {
        return isWellBehaved() || this == HALF_CLOSES;
    }
}
