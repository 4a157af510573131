package org.freshet.channel.socket.nio;

/**
 * Notices a selector that returns at once, again and again, with nothing to show for it. Loop only.
 *
 * <p>Kernels and JDKs have had such flaws; the cure is a new selector.
 */
final class SpinGuard {
    /** Spurious returns happen; this many in a row, with no time-out, no ready key and no wake-up, do not. */
    private static final int LIMIT = 512;

    private int causelessReturns;

    /** Notes one return of a blocking select and tells whether the selector spins; starts anew when it says so. */
    boolean isSpinning(boolean hadCause) {
        causelessReturns = hadCause ? 0 : causelessReturns + 1;
        if (causelessReturns < LIMIT) {
            return false;
        }
        causelessReturns = 0;
        return true;
    }
}
