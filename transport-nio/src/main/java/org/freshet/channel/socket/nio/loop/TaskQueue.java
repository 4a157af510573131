package org.freshet.channel.socket.nio.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.freshet.internal.FieldHandles;

/**
 * The tasks that any thread leaves for a loop, in the order in which they were left, until the queue is closed.
 *
 * <pre>
 *   any thread --submit--&gt; stack of the newest --poll--&gt; list of the oldest --poll--&gt; the loop runs it
 * </pre>
 *
 * <p>A task is a link of the queue, so that to submit one allocates nothing and cannot fail: otherwise
 * a thread that has queued a request and then runs out of memory would leave it where no loop looks.
 *
 * <p>Threading: {@link #submit} and {@link #close} may be called by any thread, the rest by the loop alone.
 */
public final class TaskQueue {
    /** A task that is in the queue at most once at a time. */
    public interface Task extends Runnable {
        /** In the stack the task that was submitted before this one, in the list the one that follows. */
        Task next();

        void setNext(Task next);
    }

    /** Any task, as a link. */
    public static final class Link implements Task {
        private final Runnable task;
        private Task next;

        public Link(Runnable task) {
            this.task = task;
        }

        @Override
        public void run() {
            task.run();
        }

        @Override
        public Task next() {
            return next;
        }

        @Override
        public void setNext(Task next) {
            this.next = next;
        }
    }

    /** Stands for the stack once the queue is closed. */
    private static final Task CLOSED = new Link(() -> {});

    private static final VarHandle NEWEST = FieldHandles.of(MethodHandles.lookup(), "newest", Task.class);

    /** The stack; null while it is empty. */
    private volatile Task newest;

    /** Loop only. The list of what was taken off the stack; null while it is empty. */
    private Task oldest;

    /** Returns false if the queue is closed: the task will never run. */
    public boolean submit(Task task) {
        Task earlier;
        do {
            earlier = newest;
            if (earlier == CLOSED) {
                return false;
            }
            task.setNext(earlier);
        } while (!NEWEST.compareAndSet(this, earlier, task));
        return true;
    }

    public boolean isEmpty() {
        return oldest == null && isStackEmpty();
    }

    private boolean isStackEmpty() {
        Task seen = newest;
        return seen == null || seen == CLOSED;
    }

    /**
     * About how many tasks wait, and no more than {@code most}, for each counted takes time. Any thread: the loop may rearrange the links meanwhile, which makes
     * the count wrong and harms nothing.
     */
    public int count(int most) {
        int count = 0;
        for (Task task = newest; task != null && task != CLOSED && count < most; task = task.next()) {
            count++;
        }
        for (Task task = oldest; task != null && count < most; task = task.next()) {
            count++;
        }
        return count;
    }

    /** Removes the oldest task; returns null if there is none. */
    public Task poll() {
        if (oldest == null && !isStackEmpty()) { // a closed one counts as empty
            oldest = oldestFirst((Task) NEWEST.getAndSet(this, null));
        }
        Task task = oldest;
        if (task != null) {
            oldest = task.next();
            task.setNext(null);
        }
        return task;
    }

    private static Task oldestFirst(Task newest) {
        Task oldest = null;
        Task task = newest;
        while (task != null) {
            Task earlier = task.next();
            task.setNext(oldest);
            oldest = task;
            task = earlier;
        }
        return oldest;
    }

    /** Closes the queue unless there are tasks in it; returns whether it is closed. */
    public boolean closeIfEmpty() {
        return newest == CLOSED || oldest == null && NEWEST.compareAndSet(this, null, CLOSED);
    }

    /** Closes the queue to further tasks; those that are in it can still be taken. Loop only. */
    public void refuse() {
        Task taken = (Task) NEWEST.getAndSet(this, CLOSED);
        if (taken == CLOSED) {
            return;
        }
        Task following = oldestFirst(taken);
        if (oldest == null) {
            oldest = following;
            return;
        }
        Task last = oldest;
        while (last.next() != null) {
            last = last.next();
        }
        last.setNext(following);
    }

    /** Closes the queue of a loop that never ran, or runs no more; what is in it is lost. */
    public void close() {
        newest = CLOSED;
    }
}
