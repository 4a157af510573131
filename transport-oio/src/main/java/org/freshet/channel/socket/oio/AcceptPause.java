package org.freshet.channel.socket.oio;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The wait of a server's I/O thread before it tries to accept again. */
final class AcceptPause {
    private AcceptPause() {}

    /** Waits, unless {@code wanted} turns false and this thread is unparked. */
    static void await(long millis, BooleanSupplier wanted) {
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        long left = deadlineNanos - System.nanoTime();
        while (left > 0 && wanted.getAsBoolean()) {
            LockSupport.parkNanos(AcceptPause.class, left);
            Thread.interrupted(); // an interrupt means nothing to this thread, and would end every later park at once
            left = deadlineNanos - System.nanoTime();
        }
    }
}
