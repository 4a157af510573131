package org.freshet.util;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.freshet.internal.FieldHandles;

/**
 * A lock for sections that take less than a microsecond or so and cannot block.
 *
 * <p>Against a {@link java.util.concurrent.locks.ReentrantLock} it saves the second fence, which is half the cost when
 * it is not contended. In return it is not reentrant, and a waiting thread spins and then naps: there is no queue. What is done under
 * the lock happens before what the next holder does.
 */
final class BriefLock {
    private static final int SPINS_BEFORE_NAPS = 128;

    /** The holder has probably lost its processor; this is about the time until it runs again. */
    private static final long NAP_NANOS = 20_000;

    private static final VarHandle HELD = FieldHandles.of(MethodHandles.lookup(), "held", boolean.class);

    private volatile boolean held;

    void lock() {
        if (!HELD.compareAndSet(this, false, true)) {
            awaitLock();
        }
    }

    /** Called by the holder only. */
    void unlock() {
        HELD.setRelease(this, false);
    }

    private void awaitLock() {
        int spins = 0;
        do {
            if (spins++ < SPINS_BEFORE_NAPS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(this, NAP_NANOS);
            }
        } while (held || !HELD.compareAndSet(this, false, true));
    }
}
