package org.freshet.handler.traffic;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.freshet.internal.handler.ReadSuspension;
import org.freshet.util.Timeout;
import org.freshet.util.Timer;
import org.freshet.util.TimerTask;

/**
 * Suspends the reading of one channel for a while. Any thread may call; the lock guards all fields and is not held while
 * reading is suspended or resumed.
 */
final class ReadPause implements TimerTask {
    /** A timer that was late by more than this has lost the time. */
    private static final long MAX_CREDIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ReadSuspension reading;
    private final Timer timer;
    private final LongSupplier nanoClock;

    private final ReentrantLock lock = new ReentrantLock();

    /** Null while the channel is read. */
    private Timeout end;

    private long endNanos;

    /** How much longer than intended the last pause took. Written under the lock. */
    private volatile long lateNanos;

    ReadPause(ReadSuspension reading, Timer timer, LongSupplier nanoClock) {
        this.reading = reading;
        this.timer = timer;
        this.nanoClock = nanoClock;
    }

    /** Pauses from now on, or prolongs a pause. Does not if the timer refuses, as it does after it was stopped. */
    void pause(long nanos) {
        boolean begins;
        lock.lock();
        try {
            begins = end == null;
            endNanos = nanoClock.getAsLong() + nanos;
            begins &= schedule(nanos);
        } finally {
            lock.unlock();
        }
        if (begins) {
            reading.suspend();
        }
    }

    @Override
    public void run(Timeout due) {
        lock.lock();
        try {
            if (due != end) {
                return;
            }
            long now = nanoClock.getAsLong();
            end = null;
            if (endNanos - now > 0 && schedule(endNanos - now)) {
                return;
            }
            lateNanos = Math.max(0, Math.min(now - endNanos, MAX_CREDIT_NANOS));
        } finally {
            lock.unlock();
        }
        reading.resume();
    }

    /** Unless it is scheduled. Returns whether it is now. */
    private boolean schedule(long nanos) {
        try {
            if (end == null) {
                end = timer.newTimeout(this, nanos, TimeUnit.NANOSECONDS);
            }
            return true;
        } catch (RuntimeException refused) { // after the timer was stopped, for example
            return false;
        }
    }

    /** Ends a pause before its time. */
    void cancel() {
        Timeout cancelled;
        lock.lock();
        try {
            cancelled = end;
            end = null;
        } finally {
            lock.unlock();
        }
        if (cancelled != null) {
            reading.resume();
            cancelled.cancel();
        }
    }

    /** How much longer than intended the last pause took: what the channel may be ahead of its time from then on. */
    long creditNanos() {
        return lateNanos;
    }
}
