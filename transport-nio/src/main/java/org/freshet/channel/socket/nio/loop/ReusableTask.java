package org.freshet.channel.socket.nio.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.freshet.internal.FieldHandles;

/**
 * A task of a loop that is made once and submitted as often as there is something to do. Submitting it allocates nothing, and has no
 * effect while it is in the loop's queue.
 *
 * <p>Threading: {@link #submitTo} may be called by any thread; the rest is for the loop and its queue.
 */
public final class ReusableTask implements TaskQueue.Task {
    private static final VarHandle IS_SUBMITTED = FieldHandles.of(MethodHandles.lookup(), "isSubmitted", boolean.class);

    private final Runnable action;

    /** True while this is in the loop's queue, or about to be put there. */
    private volatile boolean isSubmitted;

    /** The queue's. */
    private TaskQueue.Task next;

    public ReusableTask(Runnable action) {
        this.action = action;
    }

    /**
     * Has the loop run the action once more after this call.
     *
     * @return false if the loop has stopped
     */
    public boolean submitTo(LoopTasks tasks) {
        if (!IS_SUBMITTED.compareAndSet(this, false, true)) {
            return true;
        }
        boolean isAccepted = tasks.submitLink(this);
        if (!isAccepted) {
            isSubmitted = false;
        }
        return isAccepted;
    }

    /** Clears the flag first: what is asked for from now on may come too late for this run, and must submit another. */
    @Override
    public void run() {
        isSubmitted = false;
        action.run();
    }

    @Override
    public TaskQueue.Task next() {
        return next;
    }

    @Override
    public void setNext(TaskQueue.Task next) {
        this.next = next;
    }
}
