package org.freshet.channel.socket.oio;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * How long a server waits when it cannot accept, typically for want of file descriptors: 5 ms, doubling to 1 s, anew after a
 * success. Belongs to the server's I/O thread.
 */
final class AcceptPause {
    private static final int FIRST_MILLIS = 5;
    private static final int LAST_MILLIS = 1000;

    private int nextMillis = FIRST_MILLIS;

    /** Whether the coming pause is the first since the last success. */
    boolean isFirst() {
        return nextMillis == FIRST_MILLIS;
    }

    int nextMillis() {
        int millis = nextMillis;
        nextMillis = Math.min(millis * 2, LAST_MILLIS);
        return millis;
    }

    /** Waits, unless {@code wanted} turns false and this thread is unparked. */
    void await(BooleanSupplier wanted) {
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(nextMillis());
        long left = deadlineNanos - System.nanoTime();
        while (left > 0 && wanted.getAsBoolean()) {
            LockSupport.parkNanos(this, left);
            Thread.interrupted(); // nobody has reason to interrupt this thread, and park would not wait any more
            left = deadlineNanos - System.nanoTime();
        }
    }

    void reset() {
        nextMillis = FIRST_MILLIS;
    }
}
