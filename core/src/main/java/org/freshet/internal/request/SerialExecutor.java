package org.freshet.internal.request;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.socket.ChannelRunnableWrapper;
import org.freshet.internal.FailsafeLogMessage;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Runs the upstream events of one channel one at a time, even if several threads cause them. The thread that holds the executor also runs
 * the tasks that others enqueue in the meantime, oldest first, before it releases the executor.
 *
 * <p>If the holder blocks in the middle of an event, because a handler writes to a slow peer, it lends the executor. Only urgent tasks,
 * those of time-outs, run on such a loan, as if the handler had called them from its write.
 *
 * <p>Threading: any thread may call any method, except that {@link #acquire()} and {@link #release()} are for one thread, the channel's
 * own. Only {@code acquire()} and {@link #reclaim()} block. No lock is held while tasks run.
 *
 * <pre>
 *   execute(task) ----&gt; free? ---yes---&gt; hold it, run all tasks, release it
 *                         |
 *                         no -----------&gt; the holder runs the task before it releases
 * </pre>
 */
public final class SerialExecutor {
    /** Whether the holder lends the executor. */
    private enum Loan {
        NONE,
        OFFERED,
        TAKEN
    }

    private static final class Task {
        final Runnable action;

        /** In the inbox, the previous task; in the ready list, the next one. */
        Task next;

        Task(Runnable action) {
            this.action = action;
        }
    }

    private static final FailsafeLogMessage TASK_THREW = FailsafeLogMessage.error(
            InternalLoggerFactory.getInstance(SerialExecutor.class),
            "a task of a channel threw; its other tasks still run");

    private static final VarHandle INBOX;
    private static final VarHandle URGENT;
    private static final VarHandle HOLDER;
    private static final VarHandle LOAN;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            INBOX = lookup.findVarHandle(SerialExecutor.class, "inbox", Task.class);
            URGENT = lookup.findVarHandle(SerialExecutor.class, "urgent", Task.class);
            HOLDER = lookup.findVarHandle(SerialExecutor.class, "holder", Thread.class);
            LOAN = lookup.findVarHandle(SerialExecutor.class, "loan", Loan.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Enqueued tasks, newest first. */
    private volatile Task inbox;

    /** Enqueued urgent tasks, newest first. */
    private volatile Task urgent;

    /** The holder offers and ends a loan. The thread that takes it is the holder until it returns it. */
    private volatile Loan loan = Loan.NONE;

    /** Holder only. Tasks taken from an inbox, oldest first. */
    private Task ready;

    /** Null while no thread holds the executor. */
    private volatile Thread holder;

    /** The thread that waits in {@link #acquire()}; it has priority over all others. */
    private volatile Thread waiter;

    public boolean isHeldByCurrentThread() {
        return holder == Thread.currentThread();
    }

    /**
     * Runs a user's task: immediately if the calling thread holds this executor, otherwise like {@link #execute(Runnable)}.
     *
     * @return completes after the task has run; fails with the task's exception
     */
    public ChannelFuture submit(Channel channel, Runnable task) {
        ChannelRunnableWrapper future = new ChannelRunnableWrapper(channel, task);
        if (isHeldByCurrentThread()) {
            future.run();
        } else {
            execute(future);
        }
        return future;
    }

    /**
     * Runs a task on the calling thread if no thread holds this executor; otherwise leaves it to the holder, even if that is the caller.
     */
    public void execute(Runnable action) {
        enqueue(action);
        drain();
    }

    /** Runs a task like {@link #execute(Runnable)}, but also while the holder is blocked and lends this executor. */
    public void executeUrgently(Runnable action) {
        Task task = new Task(action);
        do {
            task.next = urgent;
        } while (!URGENT.compareAndSet(this, task.next, task));
        drain();
        runUrgentOnLoan();
    }

    /** Queues a task without running it; {@link #drain()} must follow. */
    public void enqueue(Runnable action) {
        Task task = new Task(action);
        do {
            task.next = inbox;
        } while (!INBOX.compareAndSet(this, task.next, task));
    }

    // ---- loans ------------------------------------------------------------------------------------------------------

    /**
     * Call this before the calling thread blocks: if it holds this executor, other threads may run urgent tasks from now on.
     *
     * @return whether {@link #reclaim()} must follow
     */
    public boolean lend() {
        if (!isHeldByCurrentThread() || loan != Loan.NONE) {
            return false;
        }
        loan = Loan.OFFERED;
        runUrgentOnLoan(); // those already queued
        return true;
    }

    /** Ends the loan; blocks while another thread runs urgent tasks. */
    public void reclaim() {
        boolean interrupted = false;
        while (!LOAN.compareAndSet(this, Loan.OFFERED, Loan.NONE)) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether the caller is running an urgent task while the holder is blocked, so that it must not wait for the holder. */
    public boolean isBorrowedByCurrentThread() {
        return loan == Loan.TAKEN && isHeldByCurrentThread();
    }

    boolean isLent() {
        return loan != Loan.NONE;
    }

    private void runUrgentOnLoan() {
        while (urgent != null && LOAN.compareAndSet(this, Loan.OFFERED, Loan.TAKEN)) {
            Thread lender = holder;
            holder = Thread.currentThread();
            for (Task task = oldestFirst((Task) URGENT.getAndSet(this, null)); task != null; task = task.next) {
                run(task);
            }
            holder = lender;
            loan = Loan.OFFERED;
            LockSupport.unpark(lender);
        }
    }

    /** Runs the queued tasks on the calling thread, unless another thread holds this executor or waits for it. */
    public void drain() {
        if (waiter == null && tryAcquire()) {
            release();
        }
    }

    /**
     * Runs the queued tasks like {@link #drain()}, but at most {@code maxTasks}.
     *
     * @return whether tasks are left, for which the caller must call again
     */
    public boolean drain(int maxTasks) {
        if (waiter != null || !tryAcquire()) {
            return false;
        }
        runReady(maxTasks);
        return unlock();
    }

    /** Blocks until the calling thread holds this executor, then runs the queued tasks. The caller must not already hold it. */
    public void acquire() {
        if (!tryAcquire()) {
            awaitRelease();
        }
        runReady(Integer.MAX_VALUE);
    }

    private void awaitRelease() {
        assert !isHeldByCurrentThread();
        boolean interrupted = false;
        waiter = Thread.currentThread();
        while (!tryAcquire()) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        waiter = null;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs the tasks queued in the meantime, then lets another thread hold this executor. */
    public void release() {
        assert isHeldByCurrentThread();
        do {
            runReady(Integer.MAX_VALUE);
        } while (unlock() && tryAcquire());
    }

    /** Returns whether there are tasks left that no other thread is going to run. */
    private boolean unlock() {
        boolean tasksLeft = ready != null;
        holder = null;
        Thread next = waiter;
        if (next != null) {
            LockSupport.unpark(next);
            return false; // it runs tasks queued too late for this thread
        }
        return tasksLeft || inbox != null || urgent != null;
    }

    private boolean tryAcquire() {
        return holder == null && HOLDER.compareAndSet(this, null, Thread.currentThread());
    }

    /** Runs the queued tasks, but leaves the rest to the channel's own thread as soon as that one waits. */
    private void runReady(int maxTasks) {
        Task task = nextReady();
        for (int i = 1; task != null; i++) {
            run(task);
            task = i < maxTasks ? nextReady() : null;
        }
    }

    private static void run(Task task) {
        try {
            task.action.run();
        } catch (Throwable t) {
            TASK_THREW.log(null, t);
        }
    }

    private Task nextReady() {
        if (waiter != null) {
            return null;
        }
        if (ready == null && urgent != null) {
            ready = oldestFirst((Task) URGENT.getAndSet(this, null));
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
