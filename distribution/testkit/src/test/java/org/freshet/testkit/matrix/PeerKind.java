package org.freshet.testkit.matrix;

/** How the reader's side behaves after it has sent its request. */
enum PeerKind {
    READS,
    /** At 1 KiB per second. */
    READS_SLOWLY,
    NEVER_READS,
    /** In the middle. */
    RESETS,
    /** Ends its output, and keeps reading. */
    HALF_CLOSES,
    /** Vanishes in the middle: no data passes in either direction anymore. */
    VANISHES;

    /** Whether everything sent arrives, if the connection isn't closed. */
    boolean isWellBehaved() {
        return this == READS || this == READS_SLOWLY;
    }

    /** Whether everything that was sent by the writer's side arrives. */
    boolean readsAll() {
        return isWellBehaved() || this == HALF_CLOSES;
    }
}
