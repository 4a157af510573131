package org.freshet.channel.socket.nio.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A task of a loop, created once and submitted whenever there is work. Submitting it allocates nothing, and has no
 * effect while it is in the loop's queue.
 *
 * <p>Threading: any thread may call {@link #submitTo}; the rest is for the loop and its queue.
 */
public final class ReusableTask implements TaskQueue.Task {
    private static final VarHandle IS_SUBMITTED;

    static {
        try {
            IS_SUBMITTED = MethodHandles.lookup().findVarHandle(ReusableTask.class, "isSubmitted", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Runnable action;

    /** True while this is in the loop's queue, or about to be put there. */
    private volatile boolean isSubmitted;

    /** Belongs to the queue. */
    private TaskQueue.Task next;

    public ReusableTask(Runnable action) {
        this.action = action;
    }

    /**
     * Makes the loop run the action once more after this call.
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

    /** Clears the flag first: a request made from now on may be too late for this run, and must submit another. */
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
