package org.freshet.bootstrap;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** So many in a second, some of them at once. Any thread. */
final class AcceptRate {
    private final LongSupplier nanoClock;
    private final long intervalNanos;

    /** By how much the next one may come before its time. */
    private final long toleranceNanos;

    /** When the next one would come if all came at equal intervals. */
    private final AtomicLong dueNanos;

    AcceptRate(int perSecond, int burst, LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        intervalNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
        toleranceNanos = intervalNanos * (burst - 1);
        dueNanos = new AtomicLong(nanoClock.getAsLong());
    }

    /** Takes one, or returns how long to wait, in nanoseconds. */
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

    /** Gives one back that was not used. */
    void giveBack() {
        dueNanos.addAndGet(-intervalNanos);
    }
}
