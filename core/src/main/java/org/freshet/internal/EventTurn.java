package org.freshet.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.socket.ChannelRunnableWrapper;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Keeps the upstream events of one channel from running concurrently where several threads may cause them: at any time one
 * thread has the turn, and what others bring meanwhile waits for it in a queue that the one who has the turn works off.
 *
 * <p>Threading: any thread may call, except that {@link #take()} and {@link #giveBack()} are for one thread, the channel's
 * own. Nobody waits but {@code take()}; no lock is held while events run.
 *
 * <pre>
 *   bring a task ----&gt; turn free? ---yes---&gt; have the turn, run all tasks, give it back
 *                          |
 *                          no -------------&gt; the holder runs it before it gives the turn back
 * </pre>
 */
public final class EventTurn {
    private static final class Task {
        final Runnable action;

        /** In the inbox the one brought before, in the ready list the one to run after. */
        Task next;

        Task(Runnable action) {
            this.action = action;
        }
    }

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(EventTurn.class);

    private static final VarHandle INBOX;
    private static final VarHandle HOLDER;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            INBOX = lookup.findVarHandle(EventTurn.class, "inbox", Task.class);
            HOLDER = lookup.findVarHandle(EventTurn.class, "holder", Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** What has been brought, newest first. */
    private volatile Task inbox;

    /** Holder only. Taken from the inbox, oldest first. */
    private Task ready;

    /** Null while the turn is free. */
    private volatile Thread holder;

    /** The thread that waits in {@link #take()}; others let it go first. */
    private volatile Thread claimant;

    /** Whether the caller has the turn. */
    public boolean isMine() {
        return holder == Thread.currentThread();
    }

    /**
     * Runs a user's task in turn: at once if the caller has the turn, else as {@link #later} does.
     *
     * @return completed after the task ran; failed with what it threw
     */
    public ChannelFuture execute(Channel channel, Runnable task) {
        ChannelRunnableWrapper future = new ChannelRunnableWrapper(channel, task);
        if (isMine()) {
            future.run();
        } else {
            later(future);
        }
        return future;
    }

    /** Runs a task here if the turn is free; else leaves it to the holder, be it the caller. */
    public void later(Runnable action) {
        bring(action);
        runBrought();
    }

    /** Queues a task without running it; whoever calls this also sees to {@link #runBrought()}. */
    public void bring(Runnable action) {
        Task task = new Task(action);
        do {
            task.next = inbox;
        } while (!INBOX.compareAndSet(this, task.next, task));
    }

    /** Runs here what has been brought, unless another thread has the turn or is about to have it. */
    public void runBrought() {
        if (claimant == null && acquire()) {
            giveBack();
        }
    }

    /**
     * As {@link #runBrought()}, but at most so many tasks.
     *
     * @return whether there are more, for which the caller has to come back
     */
    public boolean runBrought(int maxTasks) {
        if (claimant != null || !acquire()) {
            return false;
        }
        runReady(maxTasks);
        return release();
    }

    /** Waits until the caller has the turn, and runs what was brought before. Must not have the turn already. */
    public void take() {
        if (!acquire()) {
            awaitTurn();
        }
        runReady(Integer.MAX_VALUE);
    }

    private void awaitTurn() {
        assert !isMine();
        boolean interrupted = false;
        claimant = Thread.currentThread();
        while (!acquire()) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        claimant = null;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs what was brought meanwhile, then lets the next one have the turn. */
    public void giveBack() {
        assert isMine();
        do {
            runReady(Integer.MAX_VALUE);
        } while (release() && acquire());
    }

    /** Returns whether there is something to run that no other thread knows of. */
    private boolean release() {
        boolean tasksLeft = ready != null;
        holder = null;
        Thread next = claimant;
        if (next != null) {
            LockSupport.unpark(next);
            return false; // it runs whatever came too late for us
        }
        return tasksLeft || inbox != null;
    }

    private boolean acquire() {
        return holder == null && HOLDER.compareAndSet(this, null, Thread.currentThread());
    }

    /** Runs what there is, but leaves the rest to the channel's own thread as soon as that one asks for the turn. */
    private void runReady(int maxTasks) {
        Task task = nextReady();
        for (int i = 1; task != null; i++) {
            try {
                task.action.run();
            } catch (Throwable t) {
                logger.error("a task of a channel failed; its other tasks go on", t);
            }
            task = i < maxTasks ? nextReady() : null;
        }
    }

    private Task nextReady() {
        if (claimant != null) {
            return null;
        }
        if (ready == null && inbox != null) {
            ready = oldestFirst((Task) INBOX.getAndSet(this, null));
        }
        Task task = ready;
        if (task != null) {
            ready = task.next;
        }
        return task;
    }

    private static Task oldestFirst(Task newest) {
        Task first = null;
        Task task = newest;
        while (task != null) {
            Task before = task.next;
            task.next = first;
            first = task;
            task = before;
        }
        return first;
    }
}
