package org.freshet.channel.socket.oio;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Makes a server's I/O thread wait before it accepts again. */
final class AcceptPause {
    private AcceptPause() {}

    /** Returns after {@code millis}, or when {@code wanted} is false and this thread is unparked. */
    static void await(long millis, BooleanSupplier wanted) {
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        long left = deadlineNanos - System.nanoTime();
        while (left > 0 && wanted.getAsBoolean()) {
            LockSupport.parkNanos(AcceptPause.class, left);
            Thread.interrupted(); // clear it: a pending interrupt would end every later park immediately
            left = deadlineNanos - System.nanoTime();
        }
    }
}
