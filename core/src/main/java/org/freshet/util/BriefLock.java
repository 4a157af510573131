package org.freshet.util;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * A lock for sections that take about a microsecond at most and cannot block.
 *
 * <p>It saves the second fence of a {@link java.util.concurrent.locks.ReentrantLock}, which is half its cost when
 * uncontended. In return it is not reentrant and has no queue: a waiting thread spins, then naps. Everything done under
 * the lock happens before whatever the next holder does.
 */
final class BriefLock {
    private static final int SPINS_BEFORE_NAPS = 128;

    /** The holder has probably lost its processor; it runs again after about this long. */
    private static final long NAP_NANOS = 20_000;

    private static final VarHandle HELD;

    static {
        try {
            HELD = MethodHandles.lookup().findVarHandle(BriefLock.class, "held", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile boolean held;

    void lock() {
        if (!HELD.compareAndSet(this, false, true)) {
            awaitLock();
        }
    }

    /** Only the holder calls this. */
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
