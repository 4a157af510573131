package org.freshet.internal.time;

import java.util.function.LongSupplier;

/** A token bucket: a burst, and a rate per second. Not thread-safe. */
public final class TokenBucket {
    private final int burst;
    private final int perSecond;
    private final LongSupplier nanoTime;
    private double tokens;
    private long filledAtNanos;

    /** Creates a full bucket. */
    public TokenBucket(int burst, int perSecond, LongSupplier nanoTime) {
        this.burst = burst;
        this.perSecond = perSecond;
        this.nanoTime = nanoTime;
        tokens = burst;
        filledAtNanos = nanoTime.getAsLong();
    }

    /** Takes a token; returns false if the bucket is empty. */
    public boolean take() {
        refill(); // every time, because time that passes while the bucket is full must not count later
        boolean isTaken = tokens >= 1;
        tokens -= isTaken ? 1 : 0;
        return isTaken;
    }

    private void refill() {
        long now = nanoTime.getAsLong();
        tokens = Math.min(burst, tokens + (now - filledAtNanos) / 1e9 * perSecond);
        filledAtNanos = now;
    }
}
