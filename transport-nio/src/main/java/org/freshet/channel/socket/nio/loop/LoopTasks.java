package org.freshet.channel.socket.nio.loop;

import java.util.concurrent.RejectedExecutionException;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.socket.ChannelRunnableWrapper;
import org.freshet.internal.telemetry.LoopCounters;

/**
 * What other threads leave for a loop to do. A task is run once, in the order of the submissions, also while the loop stops; it is refused
 * once the loop has stopped.
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
     * @param selector is woken up for each task
     * @param recovery logs what tasks throw
     */
    public LoopTasks(LoopThread thread, LoopSelector selector, LoopRecovery recovery, LoopCounters counters) {
        this.thread = thread;
        this.selector = selector;
        this.recovery = recovery;
        this.counters = counters;
    }

    // ---- any thread -------------------------------------------------------------------------------------------------

    /** Whether the caller is the loop. */
    public boolean isCurrentThread() {
        return thread.isCurrent();
    }

    /**
     * Leaves a task for the loop.
     *
     * @return false if the loop has stopped and will never run the task
     */
    public boolean submit(Runnable task) {
        return submitLink(new TaskQueue.Link(task));
    }

    /** As {@link #submit(Runnable)}, and never fails. */
    public boolean submitLink(TaskQueue.Task task) {
        if (!queue.submit(task)) {
            return false;
        }
        selector.wakeUp();
        return true;
    }

    /** Runs a task now when the caller is the loop, else leaves it for the loop; as {@link #submit} otherwise. */
    public boolean execute(Runnable task) {
        if (thread.isCurrent()) {
            task.run();
            return true;
        }
        return submit(task);
    }

    /** As {@link #submit}, or {@link #execute} unless {@code alwaysAsync}, for users. */
    public void executeOrReject(Runnable task, boolean alwaysAsync) {
        if (alwaysAsync ? !submit(task) : !execute(task)) {
            throw new RejectedExecutionException("the I/O loop has been shut down");
        }
    }

    /** Runs a user's task. The future fails with RejectedExecutionException when the loop has stopped. */
    public ChannelFuture execute(Channel channel, Runnable task) {
        ChannelRunnableWrapper future = new ChannelRunnableWrapper(channel, task);
        if (!execute(future)) {
            future.addListener(
                    refused -> {}); // most such tasks are Freshet's own: no failure that a user has overlooked
            future.setFailure(new RejectedExecutionException("the I/O loop of " + channel + " has been shut down"));
        }
        return future;
    }

    /** About how many; tasks that the loop is taking may be left out. */
    public int pending(int mostCounted) {
        return queue.count(mostCounted);
    }

    // ---- the loop ---------------------------------------------------------------------------------------------------

    public boolean isEmpty() {
        return queue.isEmpty();
    }

    /** What a task throws is logged, and the next one follows. */
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

    /** Refuses further tasks; those that are here are still run. */
    public void refuse() {
        queue.refuse();
    }

    /** Refuses further tasks unless there are some; returns whether it does. */
    public boolean closeIfEmpty() {
        return queue.closeIfEmpty();
    }

    /** The loop has ended: what is here is lost. */
    public void close() {
        queue.close();
    }
}
