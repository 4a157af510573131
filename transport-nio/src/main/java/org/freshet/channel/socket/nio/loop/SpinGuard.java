package org.freshet.channel.socket.nio.loop;

/**
 * Notices a selector that returns at once, again and again, with no reason. Loop only.
 *
 * <p>Kernels and JDKs have had such flaws; a new selector is the remedy.
 */
public final class SpinGuard {
    /** Single returns without a cause are normal; this many in a row are not. */
    private static final int LIMIT = 512;

    private int causelessReturns;

    /** Notes a return of a blocking select that had a cause: a ready key, a wake-up or a deadline. */
    void onCause() {
        causelessReturns = 0;
    }

    /** Notes a return without cause and returns whether the selector spins; counts from 0 again after true. */
    boolean isSpinning() {
        if (++causelessReturns < LIMIT) {
            return false;
        }
        causelessReturns = 0;
        return true;
    }
}
