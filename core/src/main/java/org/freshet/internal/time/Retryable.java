package org.freshet.internal.time;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * What the {@link SafetyTimer} runs, and runs again after a second if it has failed for lack of memory. It is a link of the timer's list of
 * those that have failed, so that nothing has to be allocated then. Any thread may call.
 */
public abstract class Retryable extends IndexedHeap.Element implements Runnable {
    /** Not a VarHandle, whose first use takes memory. */
    private static final AtomicIntegerFieldUpdater<Retryable> IS_FAILED =
            AtomicIntegerFieldUpdater.newUpdater(Retryable.class, "isFailed");

    /** 1 while it is in the timer's list of those that failed, else 0. */
    private volatile int isFailed;

    /** Of that list. The timer's, while this is in it. */
    Retryable next;

    /** No thread could be started for it a second ago. The timer's. */
    boolean wasRefused;

    Retryable() {}

    /** Has this run after a second, once. Takes no memory and throws nothing. */
    abstract void runAgain();

    abstract void work();

    /** Whether the work needs a thread of its own. */
    boolean mayBlock() {
        return true;
    }

    /** Does the work now; again after a second if it finds no memory. */
    @Override
    public final void run() {
        try {
            work();
        } catch (VirtualMachineError e) {
            runAgain();
            throw e;
        }
    }

    /** Returns false if it is in the list already. */
    final boolean enterFailed() {
        return IS_FAILED.compareAndSet(this, 0, 1);
    }

    final void leaveFailed() {
        next = null;
        isFailed = 0;
    }
}
