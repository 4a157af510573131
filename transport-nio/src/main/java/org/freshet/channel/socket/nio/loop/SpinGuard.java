package org.freshet.channel.socket.nio.loop;

/**
 * Detects a selector that keeps returning immediately for no reason. Loop only.
 *
 * <p>Kernels and JDKs have had such bugs; the remedy is a new selector.
 */
public final class SpinGuard {
    /** A single return without a cause is normal; this many in a row are not. */
    private static final int LIMIT = 512;

    private int causelessReturns;

    /** Records a return of a blocking select that had a cause: a ready key, a wake-up or a deadline. */
    void onCause() {
        causelessReturns = 0;
    }

    /** Records a return without a cause. Returns whether the selector spins; after true, counts from 0 again. */
    boolean isSpinning() {
        if (++causelessReturns < LIMIT) {
            return false;
        }
        causelessReturns = 0;
        return true;
    }
}
