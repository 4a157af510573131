package org.freshet.handler.traffic;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.freshet.internal.handler.ReadSuspension;
import org.freshet.internal.time.Alarm;
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
    private final Alarm alarm;
    private final ReentrantLock lock = new ReentrantLock();

    private boolean isPaused;

    private long endNanos;

    /** How much longer than intended the last pause took. Written under the lock. */
    private volatile long lateNanos;

    ReadPause(ReadSuspension reading, Timer timer) {
        this.reading = reading;
        this.timer = timer;
        alarm = new Alarm(timer, Runnable::run, this::onDue);
    }

    /** Pauses from now on, or prolongs a pause. Does not if the timer refuses, as it does after it was stopped. */
    void pause(long nanos) {
        long now = timer.nanoTime();
        boolean begins;
        lock.lock();
        try {
            endNanos = now + nanos;
            begins = !isPaused;
            isPaused = true;
        } finally {
            lock.unlock();
        }
        if (begins) {
            try {
                reading.suspend();
            } finally { // it counts as suspended even if there was no memory to ask the transport
                start(nanos);
            }
        }
    }

    private void onDue() {
        long now = timer.nanoTime();
        long rest;
        boolean wasPaused;
        lock.lock();
        try {
            rest = endNanos - now;
            wasPaused = isPaused;
            if (wasPaused && rest <= 0) {
                isPaused = false;
                lateNanos = Math.min(-rest, MAX_CREDIT_NANOS);
            }
        } finally {
            lock.unlock();
        }
        if (!wasPaused) {
            reading.update(); // there may have been no memory for it
        } else if (rest > 0) {
            start(rest);
        } else {
            reading.resume();
        }
    }

    /** Not under the lock. Ends the pause if the timer refuses. */
    private void start(long nanos) {
        try {
            alarm.set(nanos);
        } catch (RuntimeException | Error refused) { // after the timer was stopped, for example
            cancel();
        }
    }

    /** Ends a pause before its time. */
    void cancel() {
        alarm.cancel(); // first: a pause that begins meanwhile needs it
        boolean wasPaused;
        lock.lock();
        try {
            wasPaused = isPaused;
            isPaused = false;
        } finally {
            lock.unlock();
        }
        if (wasPaused) {
            reading.resume();
        }
    }

    /** How much longer than intended the last pause took: what the channel may be ahead of its time from then on. */
    long creditNanos() {
        return lateNanos;
    }
}
