package org.freshet.handler.traffic;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.freshet.internal.handler.ReadSuspension;
import org.freshet.internal.time.Alarm;
import org.freshet.util.Timer;

/**
 * Suspends reading of one channel for a limited time. Any thread may call it. The lock guards all fields and is not
 * held while reading is suspended or resumed, or while the timer is called.
 */
final class ReadPause {
    /** At most this much of a timer's lateness is made up for. */
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

    /** Begins a pause or extends one. Does not pause if the timer refuses, for example because it was stopped. */
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
            } finally { // it counts as suspended even if there was no memory to notify the transport
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
            reading.update(); // an earlier attempt may have run out of memory
        } else if (rest > 0) {
            start(rest);
        } else {
            reading.resume();
        }
    }

    /** Not called under the lock. Ends the pause if the timer refuses. */
    private void start(long nanos) {
        try {
            alarm.set(nanos);
        } catch (Throwable refused) { // for example, the timer was stopped
            cancel();
        }
    }

    /** Ends a pause early. */
    void cancel() {
        alarm.cancel(); // first: a pause that begins in between needs the alarm
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

    /** Returns how much longer than intended the last pause took: the channel may be ahead of schedule by that much. */
    long creditNanos() {
        return lateNanos;
    }
}
