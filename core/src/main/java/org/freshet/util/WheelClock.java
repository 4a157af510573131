package org.freshet.util;

import java.util.concurrent.locks.LockSupport;

/** A timer's clock; tests supply one that they advance themselves. */
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

    /** Never goes backwards; only differences are meaningful. */
    long nanos();

    /**
     * Blocks the calling thread until {@link #nanos()} has reached {@code nanos}. Returns earlier if the thread is
     * unparked or interrupted, and may return early without a reason.
     */
    void awaitUntil(long nanos);
}
