package org.freshet.channel.socket.nio.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The tasks that any thread submits to a loop, in submission order, until the queue is closed.
 *
 * <pre>
 *   any thread --submit--&gt; stack of the newest --poll--&gt; list of the oldest --poll--&gt; the loop runs it
 * </pre>
 *
 * <p>A task is itself a link of the queue, so submitting one allocates nothing and cannot fail. Otherwise a thread that
 * has queued a request and then runs out of memory would leave it where no loop looks.
 *
 * <p>Threading: any thread may call {@link #submit} and {@link #close}; the rest is for the loop alone.
 */
public final class TaskQueue {
    /** A task that is in the queue at most once at a time. */
    public interface Task extends Runnable {
        /** Returns, in the stack, the task submitted before this one; in the list, the one that follows. */
        Task next();

        void setNext(Task next);
    }

    /** Wraps any task as a link. */
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

    /** Replaces the stack once the queue is closed. */
    private static final Task CLOSED = new Link(() -> {});

    private static final VarHandle NEWEST;

    static {
        try {
            NEWEST = MethodHandles.lookup().findVarHandle(TaskQueue.class, "newest", Task.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The stack; null while it is empty. */
    private volatile Task newest;

    /** Loop only. The list of tasks taken off the stack; null while it is empty. */
    private Task oldest;

    /** Returns false if the queue is closed, and the task will never run. */
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
     * Returns approximately how many tasks are waiting, at most {@code most}, since counting takes time. Any thread may
     * call it: the loop may rearrange the links in the meantime, which makes the count wrong but is harmless.
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

    /** Removes the oldest task. Returns null if the queue is empty. */
    public Task poll() {
        if (oldest == null && !isStackEmpty()) { // a closed stack counts as empty
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

    /** Closes the queue if it is empty. Returns whether it is closed. */
    public boolean closeIfEmpty() {
        return newest == CLOSED || oldest == null && NEWEST.compareAndSet(this, null, CLOSED);
    }

    /** Closes the queue to further tasks. Those already in it can still be taken. Loop only. */
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

    /** Closes the queue of a loop that never ran, or no longer runs. Its tasks are lost. */
    public void close() {
        newest = CLOSED;
    }
}
