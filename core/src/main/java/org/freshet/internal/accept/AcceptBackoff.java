package org.freshet.internal.accept;

import java.util.concurrent.TimeUnit;

/**
 * Determines when a server retries after a failed accept, typically because it is out of file descriptors: after 5 ms, doubling up to 1 s,
 * and after 5 ms again once an accept has succeeded. Belongs to the server's I/O thread.
 *
 * <p>A shortage is logged once. It is over when no accept has failed for a minute: during a shortage, single accepts succeed as other
 * connections close.
 */
public final class AcceptBackoff {
    private static final int FIRST_MILLIS = 5;
    private static final int LAST_MILLIS = 1000;
    private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

    private int nextMillis = FIRST_MILLIS;

    /** Whether the current shortage, if any, has been logged. */
    private boolean isReported;

    /** Meaningless while nothing is reported. */
    private long lastFailureNanos;

    /**
     * Records a failed accept.
     *
     * @param nowNanos as {@link System#nanoTime()}
     * @return how many milliseconds to wait before the next attempt
     */
    public int onFailed(long nowNanos) {
        if (nowNanos - lastFailureNanos > QUIET_NANOS) {
            isReported = false;
        }
        lastFailureNanos = nowNanos;
        int millis = nextMillis;
        nextMillis = Math.min(millis * 2, LAST_MILLIS);
        return millis;
    }

    /**
     * Whether the shortage has yet to be logged. Without descriptors logging may fail, so the caller calls {@link #onReported} once it
     * succeeded.
     */
    public boolean isUnreported() {
        return !isReported;
    }

    public void onReported() {
        isReported = true;
    }

    public void onAccepted() {
        nextMillis = FIRST_MILLIS;
    }
}
