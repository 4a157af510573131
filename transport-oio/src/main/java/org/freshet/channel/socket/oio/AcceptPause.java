package org.freshet.channel.socket.oio;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** How a server's I/O thread waits before it tries to accept again. */
final class AcceptPause {
    private AcceptPause() {}

    /** Returns after {@code millis}, or when {@code wanted} is false and this thread was unparked. */
    static void await(long millis, BooleanSupplier wanted) {
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        long left = deadlineNanos - System.nanoTime();
        while (left > 0 && wanted.getAsBoolean()) {
            LockSupport.parkNanos(AcceptPause.class, left);
            Thread.interrupted(); // no interrupt is meant for this thread, and one would end every later park at once
            left = deadlineNanos - System.nanoTime();
        }
    }
}
