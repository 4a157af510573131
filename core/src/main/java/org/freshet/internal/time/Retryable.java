package org.freshet.internal.time;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * Work for the {@link SafetyTimer}. It runs again after a second if it has failed for lack of memory. It is itself a link in the timer's
 * list of failed work, so nothing has to be allocated then. Any thread may call any method.
 */
public abstract class Retryable extends IndexedHeap.Element implements Runnable {
    /** Not a VarHandle, whose first use allocates. */
    private static final AtomicIntegerFieldUpdater<Retryable> IS_FAILED =
            AtomicIntegerFieldUpdater.newUpdater(Retryable.class, "isFailed");

    /** 1 while it is in the timer's list of failed work, otherwise 0. */
    private volatile int isFailed;

    /** The next link of that list. Used by the timer while this is in the list. */
    Retryable next;

    /** Whether no thread could be started for it a second ago. Used by the timer. */
    boolean wasRefused;

    Retryable() {}

    /** Makes this run once, after a second. Allocates nothing and never throws. */
    abstract void runAgain();

    abstract void work();

    /** Whether the work needs its own thread. */
    boolean mayBlock() {
        return true;
    }

    /** Does the work now; if it is out of memory, it runs again after a second. */
    @Override
    public final void run() {
        try {
            work();
        } catch (VirtualMachineError e) {
            runAgain();
            throw e;
        }
    }

    /** Returns false if it is already in the list. */
    final boolean enterFailed() {
        return IS_FAILED.compareAndSet(this, 0, 1);
    }

    final void leaveFailed() {
        next = null;
        isFailed = 0;
    }
}
