package org.freshet.internal.handler;

import java.util.function.LongSupplier;

/** A token bucket: a burst, and a rate per second. Not thread-safe. */
public final class TokenBucket {
    private final int atOnce;
    private final int perSecond;
    private final LongSupplier nanoTime;
    private double tokens;
    private long filledAtNanos;

    /** A full one. */
    public TokenBucket(int atOnce, int perSecond, LongSupplier nanoTime) {
        this.atOnce = atOnce;
        this.perSecond = perSecond;
        this.nanoTime = nanoTime;
        tokens = atOnce;
        filledAtNanos = nanoTime.getAsLong();
    }

    /** Takes a token; returns false if the bucket is empty. */
    public boolean take() {
        refill(); // each time, since time that passes while the bucket is full must not count later
        boolean isTaken = tokens >= 1;
        tokens -= isTaken ? 1 : 0;
        return isTaken;
    }

    private void refill() {
        long now = nanoTime.getAsLong();
        tokens = Math.min(atOnce, tokens + (now - filledAtNanos) / 1e9 * perSecond);
        filledAtNanos = now;
    }
}
