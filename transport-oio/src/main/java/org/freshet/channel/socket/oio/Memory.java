package org.freshet.channel.socket.oio;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.freshet.internal.HeapReserve;

/** Lets an I/O thread wait for memory before its last steps, which must not be left out. */
final class Memory {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private Memory() {}

    /** Does once what {@link #untilThereIs} does without memory, because the first time takes some. */
    static void rehearse() {
        HeapReserve.onFailure(null);
        LockSupport.parkNanos(Memory.class, 0);
    }

    /**
     * Runs a step, again and again while memory is exhausted.
     *
     * @param step may be repeated after an OutOfMemoryError
     */
    static void untilThereIs(Runnable step) {
        while (true) {
            try {
                step.run();
                return;
            } catch (OutOfMemoryError e) {
                HeapReserve.onFailure(e);
                LockSupport.parkNanos(Memory.class, PAUSE_NANOS);
            }
        }
    }
}
