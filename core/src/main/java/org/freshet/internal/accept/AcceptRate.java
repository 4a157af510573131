package org.freshet.internal.accept;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A token bucket: a rate per second and a burst. Any thread may call any method. */
public final class AcceptRate {
    private final LongSupplier nanoClock;
    private final long intervalNanos;

    /** How early the next connection may come. */
    private final long toleranceNanos;

    /** When the next connection would come if all came at equal intervals. */
    private final AtomicLong dueNanos;

    public AcceptRate(int perSecond, int burst, LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        intervalNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
        toleranceNanos = intervalNanos * (burst - 1);
        dueNanos = new AtomicLong(nanoClock.getAsLong());
    }

    /** Takes a token and returns 0, or returns how many nanoseconds to wait for one. */
    long take() {
        while (true) {
            long now = nanoClock.getAsLong();
            long due = dueNanos.get();
            long early = due - now;
            if (early > toleranceNanos) {
                return early - toleranceNanos;
            }
            if (dueNanos.compareAndSet(due, (early > 0 ? due : now) + intervalNanos)) {
                return 0;
            }
        }
    }

    /** Returns an unused token. */
    void giveBack() {
        dueNanos.addAndGet(-intervalNanos);
    }
}
