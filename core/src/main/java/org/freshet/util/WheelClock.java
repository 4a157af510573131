package org.freshet.util;

import java.util.concurrent.locks.LockSupport;

/** The time of a timer; tests supply one that they advance themselves. */
interface WheelClock {
    WheelClock SYSTEM = new WheelClock() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void awaitUntil(long nanos) {
            LockSupport.parkNanos(this, nanos - System.nanoTime());
        }
    };

    /** Never goes backwards; only differences mean anything. */
    long nanos();

    /**
     * Blocks the calling thread until {@link #nanos()} has reached {@code nanos}. Returns earlier when the thread is
     * unparked or interrupted, and may return earlier without reason.
     */
    void awaitUntil(long nanos);
}
