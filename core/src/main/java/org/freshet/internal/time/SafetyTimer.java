package org.freshet.internal.time;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * The one timer for deadlines that protect the process, such as those of a drain or of stalled writes. Its daemon thread {@code
 * freshet-timer} starts with the first task, survives whatever a task throws, and ends once nothing has been pending for a second.
 *
 * <p>Applications can block the JDK's common pool, so no safety deadline may depend on it. For the same reason a task that runs user
 * code, or may block, belongs into {@link #startBlocking}.
 *
 * <p>Threading: any thread may start and cancel tasks. The heap and {@code worker} are guarded by the lock, which is never held
 * while a task runs. Scheduling and cancelling take logarithmic time; a cancelled task is let go immediately.
 */
public final class SafetyTimer {
    static final String THREAD_NAME = "freshet-timer";

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(SafetyTimer.class);

    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Two deadlines are compared by their difference, which must not overflow. */
    private static final long MAX_DELAY_NANOS = Long.MAX_VALUE / 4;

    private static final SafetyTimer SHARED = new SafetyTimer(SafetyTimer::newThread);

    /** A task that was started. */
    public static final class Pending {
        private final SafetyTimer timer;
        final long deadlineNanos;
        private final Runnable task;

        /** Where the heap has it; -1 once it was taken or cancelled. Guarded by the timer's lock. */
        int index = -1;

        Pending(SafetyTimer timer, long deadlineNanos, Runnable task) {
            this.timer = timer;
            this.deadlineNanos = deadlineNanos;
            this.task = task;
        }

        /** Drops the task. Has no effect if the task runs or has run. */
        public void cancel() {
            timer.cancel(this);
        }
    }

    private final ThreadFactory threads;
    private final ReentrantLock lock = new ReentrantLock();
    private final DelayHeap heap = new DelayHeap();

    /** Null while nothing has been pending for some time. Guarded by the lock. */
    private Thread worker;

    /** @param threads makes threads that are not started */
    SafetyTimer(ThreadFactory threads) {
        this.threads = threads;
    }

    private static Thread newThread(Runnable work) {
        Thread thread = new Thread(null, work, THREAD_NAME, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null); // keeps no application loaded
        return thread;
    }

    /**
     * Runs a task on the timer's thread after a delay; never refuses.
     *
     * @param task must be short: all other deadlines wait for it. What it throws is logged.
     */
    public static Pending start(long delay, TimeUnit unit, Runnable task) {
        return SHARED.schedule(delay, unit, task);
    }

    /** Runs a task that may block after a delay, on a thread of {@link SpareThreads}; never refuses. */
    public static Pending startBlocking(long delay, TimeUnit unit, Runnable task) {
        return start(delay, unit, () -> SpareThreads.execute(task));
    }

    Pending schedule(long delay, TimeUnit unit, Runnable task) {
        long delayNanos = Math.min(Math.max(unit.toNanos(delay), 0), MAX_DELAY_NANOS);
        Pending pending = new Pending(this, System.nanoTime() + delayNanos, task);
        Throwable noThread = null;
        lock.lock();
        try {
            heap.add(pending);
            noThread = ensureWorker();
            if (heap.first() == pending) {
                LockSupport.unpark(worker);
            }
        } finally {
            lock.unlock();
        }
        if (noThread != null) {
            say(
                    "no thread can be started for " + THREAD_NAME + "; its deadlines wait until the next one is set",
                    noThread);
        }
        return pending;
    }

    /** Under the lock. Returns why there is no thread; null if there is one. */
    private Throwable ensureWorker() {
        if (worker != null && worker.isAlive()) {
            return null;
        }
        try {
            Thread started = threads.newThread(this::work);
            started.start();
            worker = started;
            return null;
        } catch (RuntimeException | Error e) {
            worker = null;
            return e;
        }
    }

    private void cancel(Pending pending) {
        lock.lock();
        try {
            if (pending.index >= 0) {
                heap.remove(pending);
            }
        } finally {
            lock.unlock();
        }
    }

    /** How many tasks wait. */
    int pending() {
        lock.lock();
        try {
            return heap.size();
        } finally {
            lock.unlock();
        }
    }

    // ---- the timer's thread -----------------------------------------------------------------------------------------

    private void work() {
        while (true) {
            Pending due = null;
            try {
                due = awaitDue();
                if (due == null) {
                    return;
                }
                due.task.run();
            } catch (Throwable e) { // also an OutOfMemoryError of our own: the next round tries again
                onFailed(due, e);
            }
        }
    }

    /** Null if the thread shall end, which {@code worker} then says already. */
    private Pending awaitDue() {
        boolean isIdle = false;
        long idleSinceNanos = 0;
        while (true) {
            Thread.interrupted(); // one that a task left behind would make the waits return immediately
            long waitNanos;
            lock.lock();
            try {
                Pending first = heap.first();
                long now = System.nanoTime();
                idleSinceNanos = isIdle ? idleSinceNanos : now;
                isIdle = first == null;
                waitNanos = (isIdle ? idleSinceNanos + IDLE_NANOS : first.deadlineNanos) - now;
                if (waitNanos <= 0) {
                    return first == null ? endWorker() : heap.remove(first);
                }
            } finally {
                lock.unlock();
            }
            LockSupport.parkNanos(this, Math.min(waitNanos, IDLE_NANOS)); // what it waits for may be cancelled
        }
    }

    private Pending endWorker() {
        worker = null;
        return null;
    }

    private static void onFailed(Pending failed, Throwable cause) {
        try {
            say("a safety deadline failed: " + (failed == null ? "none was due" : failed.task), cause);
        } catch (Throwable e) { // the text needs memory, and so does the user's toString()
            return;
        }
    }

    private static void say(String text, Throwable cause) {
        try {
            logger.error(text, cause);
        } catch (Throwable e) { // nothing is left to say it with
            return;
        }
    }
}
