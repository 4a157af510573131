package org.freshet.handler.traffic;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.freshet.internal.handler.ReadSuspension;
import org.freshet.util.Timer;

/**
 * Suspends the reading of one channel for a while. Any thread may call; the lock guards all fields and is not held while
 * reading is suspended or resumed, or the timer is called.
 */
final class ReadPause {
    /** A timer that was late by more than this has lost the time. */
    private static final long MAX_CREDIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ReadSuspension reading;
    private final Timer timer;
    private final LongSupplier nanoClock;

    private final ReentrantLock lock = new ReentrantLock();

    /** Null while the channel is read. */
    private WakeUp end;

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
        WakeUp begun = null;
        lock.lock();
        try {
            endNanos = nanoClock.getAsLong() + nanos;
            if (end == null) {
                begun = new WakeUp(endNanos, this::onDue);
                end = begun;
            }
        } finally {
            lock.unlock();
        }
        if (begun != null) {
            reading.suspend();
            start(begun);
        }
    }

    private void onDue(WakeUp due) {
        WakeUp next = null;
        lock.lock();
        try {
            if (due != end) {
                return;
            }
            long now = nanoClock.getAsLong();
            if (endNanos - now > 0) {
                next = new WakeUp(endNanos, this::onDue);
            }
            end = next;
            if (next == null) {
                lateNanos = Math.max(0, Math.min(now - endNanos, MAX_CREDIT_NANOS));
            }
        } finally {
            lock.unlock();
        }
        if (next != null) {
            start(next);
        } else {
            reading.resume();
        }
    }

    /** Not under the lock. Ends the pause if the timer refuses. */
    private void start(WakeUp wakeUp) {
        try {
            wakeUp.start(timer, Math.max(0, wakeUp.dueNanos - nanoClock.getAsLong()), TimeUnit.NANOSECONDS);
        } catch (RuntimeException | Error refused) { // after the timer was stopped, for example
            end(wakeUp);
        }
    }

    private void end(WakeUp ended) {
        lock.lock();
        try {
            if (end != ended) {
                return;
            }
            end = null;
        } finally {
            lock.unlock();
        }
        reading.resume();
    }

    /** Ends a pause before its time. */
    void cancel() {
        WakeUp cancelled;
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
