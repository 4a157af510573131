package org.freshet.internal.time;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.freshet.internal.FieldHandles;

/**
 * What the {@link SafetyTimer} runs, and runs again after a second if it has failed for lack of memory. It is a link of the timer's list of
 * those that have failed, so that nothing has to be allocated then. Any thread may call.
 */
public abstract class Retryable extends IndexedHeap.Element implements Runnable {
    private static final VarHandle FAILED = FieldHandles.of(MethodHandles.lookup(), "isFailed", boolean.class);

    private volatile boolean isFailed;

    /** Of that list. The timer's, while this is in it. */
    Retryable next;

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
        return FAILED.compareAndSet(this, false, true);
    }

    final void leaveFailed() {
        next = null;
        isFailed = false;
    }
}
