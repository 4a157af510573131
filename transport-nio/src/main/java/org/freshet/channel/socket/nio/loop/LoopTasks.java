package org.freshet.channel.socket.nio.loop;

import java.util.concurrent.RejectedExecutionException;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.socket.ChannelRunnableWrapper;
import org.freshet.internal.telemetry.LoopCounters;

/**
 * The tasks that other threads submit to a loop. Each runs once, in submission order, even while the loop stops. Once
 * the loop has stopped, tasks are refused.
 *
 * <p>Threading: any thread may call the methods up to {@link #pending}; the rest is for the loop.
 */
public final class LoopTasks {
    private final TaskQueue queue = new TaskQueue();
    private final LoopThread thread;
    private final LoopSelector selector;
    private final LoopRecovery recovery;
    private final LoopCounters counters;

    /**
     * @param selector is woken for each task
     * @param recovery logs failures of tasks
     */
    public LoopTasks(LoopThread thread, LoopSelector selector, LoopRecovery recovery, LoopCounters counters) {
        this.thread = thread;
        this.selector = selector;
        this.recovery = recovery;
        this.counters = counters;
    }

    // ---- any thread -------------------------------------------------------------------------------------------------

    /** Returns whether the caller is the loop. */
    public boolean isCurrentThread() {
        return thread.isCurrent();
    }

    /**
     * Submits a task to the loop.
     *
     * @return false if the loop has stopped and will never run the task
     */
    public boolean submit(Runnable task) {
        return submitLink(new TaskQueue.Link(task));
    }

    /** Same as {@link #submit(Runnable)}, but allocates nothing and never throws. */
    public boolean submitLink(TaskQueue.Task task) {
        if (!queue.submit(task)) {
            return false;
        }
        selector.wakeUp();
        return true;
    }

    /** Runs a task now if the caller is the loop, otherwise submits it. The result is that of {@link #submit}. */
    public boolean execute(Runnable task) {
        if (thread.isCurrent()) {
            task.run();
            return true;
        }
        return submit(task);
    }

    /**
     * For users: same as {@link #execute}, or {@link #submit} if {@code alwaysAsync}, but throws if the task is
     * refused.
     */
    public void executeOrReject(Runnable task, boolean alwaysAsync) {
        if (alwaysAsync ? !submit(task) : !execute(task)) {
            throw new RejectedExecutionException("the I/O loop has been shut down");
        }
    }

    /** Runs a user's task. The future fails with RejectedExecutionException if the loop has stopped. */
    public ChannelFuture execute(Channel channel, Runnable task) {
        ChannelRunnableWrapper future = new ChannelRunnableWrapper(channel, task);
        if (!execute(future)) {
            future.addListener(refused -> {}); // counts as observed: most such tasks are Freshet's own
            future.setFailure(new RejectedExecutionException("the I/O loop of " + channel + " has been shut down"));
        }
        return future;
    }

    /** Returns approximately how many tasks are waiting. Tasks being taken by the loop may be left out. */
    public int pending(int mostCounted) {
        return queue.count(mostCounted);
    }

    // ---- the loop ---------------------------------------------------------------------------------------------------

    public boolean isEmpty() {
        return queue.isEmpty();
    }

    /** Runs tasks. If one throws, the failure is logged and the next one follows. */
    public void run(int most) {
        for (int i = 0; i < most; i++) {
            Runnable task = queue.poll();
            if (task == null) {
                return;
            }
            counters.beginTask();
            try {
                task.run();
            } catch (Throwable t) {
                recovery.log("a task of an I/O loop failed", t);
            }
            counters.endTask();
        }
    }

    /** Refuses further tasks. Those already queued still run. */
    public void refuse() {
        queue.refuse();
    }

    /** Refuses further tasks if the queue is empty. Returns whether it does. */
    public boolean closeIfEmpty() {
        return queue.closeIfEmpty();
    }

    /** Called when the loop has ended: queued tasks are lost. */
    public void close() {
        queue.close();
    }
}
