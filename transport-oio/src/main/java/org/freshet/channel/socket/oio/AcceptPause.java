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

    /** Without a failure for so long, a shortage is over. */
    private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

    private int nextMillis = FIRST_MILLIS;

    private boolean hasFailed;

    private long lastFailureNanos;

    /**
     * Notes a failure and tells whether it begins a shortage. In the midst of one, single accepts succeed as other connections
     * close; a message for each failure between them would fill the log.
     */
    boolean isNews(long nowNanos) {
        boolean isNews = !hasFailed || nowNanos - lastFailureNanos > QUIET_NANOS;
        hasFailed = true;
        lastFailureNanos = nowNanos;
        return isNews;
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
