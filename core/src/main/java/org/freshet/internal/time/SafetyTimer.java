package org.freshet.internal.time;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.freshet.internal.LastWords;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * The one timer for deadlines that protect the process, such as those of a drain or of stalled writes. Its daemon thread {@code
 * freshet-timer} starts with the first task, survives whatever a task throws, and ends once nothing has been pending for a second.
 *
 * <p>A task that fails with a {@link VirtualMachineError}, most often for lack of memory, runs again after a second, and so does one that
 * could not be handed over for this reason. Any other failure is logged.
 *
 * <p>Applications can block the JDK's common pool, so no safety deadline may depend on it. For the same reason a task that runs user
 * code, or may block, belongs into {@link #startBlocking}.
 *
 * <p>Threading: any thread may start and cancel tasks. The heap and {@code worker} are guarded by the lock, which is never held
 * while a task runs; tasks that run again are in a list of their own, which takes no memory. Scheduling and cancelling take logarithmic
 * time; a cancelled task is let go immediately.
 */
public final class SafetyTimer {
    static final String THREAD_NAME = "freshet-timer";

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(SafetyTimer.class);
    private static final LastWords DEADLINE_FAILED = LastWords.error(logger, "a safety deadline failed");
    private static final LastWords NO_THREAD = LastWords.error(
            logger, "no thread can be started for freshet-timer; its deadlines wait until the next one is set");

    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How often tasks that have failed run again. */
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Two deadlines are compared by their difference, which must not overflow. */
    private static final long MAX_DELAY_NANOS = Long.MAX_VALUE / 4;

    private static final SafetyTimer SHARED = new SafetyTimer(SafetyTimer::newThread, SpareThreads::offer);

    static {
        rehearse();
    }

    /** A task that was started, or that runs again after it has failed. */
    public static final class Pending extends Retryable {
        private final SafetyTimer timer;
        private final long deadlineNanos;
        private final Runnable task;
        private final boolean mayBlock;
        private volatile boolean isCancelled;

        Pending(SafetyTimer timer, long deadlineNanos, Runnable task, boolean mayBlock) {
            this.timer = timer;
            this.deadlineNanos = deadlineNanos;
            this.task = task;
            this.mayBlock = mayBlock;
        }

        /** Drops the task. Has no effect if the task runs or has run. */
        public void cancel() {
            isCancelled = true;
            timer.cancel(this);
        }

        /** Has the task run after a second, once. Takes no memory and throws nothing. */
        public void retry() {
            runAgain();
        }

        @Override
        void runAgain() {
            if (!isCancelled) {
                timer.retry(this);
            }
        }

        @Override
        boolean mayBlock() {
            return mayBlock;
        }

        @Override
        void work() {
            if (!isCancelled) {
                task.run();
            }
        }

        @Override
        public String toString() {
            return task.toString();
        }
    }

    private final ThreadFactory threads;
    private final Predicate<Runnable> spareThreads;
    private final ReentrantLock lock = new ReentrantLock();

    /** Compares by difference: nanoTime may overflow. */
    private final IndexedHeap<Pending> heap =
            new IndexedHeap<>((one, other) -> one.deadlineNanos - other.deadlineNanos < 0);

    /** Tasks that have failed, newest first. */
    private final AtomicReference<Retryable> failed = new AtomicReference<>();

    /** Null while nothing has been pending for some time. Guarded by the lock. */
    private Thread worker;

    /** Those that have failed and are next. The worker's, like the following. */
    private Retryable retried;

    /** Since when there are failed ones that wait; meaningless without {@code hasFailed}. */
    private long failedNanos;

    private boolean hasFailed;

    /**
     * @param threads makes threads that are not started
     * @param spareThreads runs what may block; false if it can't now
     */
    SafetyTimer(ThreadFactory threads, Predicate<Runnable> spareThreads) {
        this.threads = threads;
        this.spareThreads = spareThreads;
    }

    /** Retries a task once, because the JVM needs memory for what runs for the first time, and later there may be none. */
    private static void rehearse() {
        SafetyTimer timer = new SafetyTimer(work -> null, task -> false);
        Pending task = new Pending(timer, 0, () -> {}, false);
        task.retry();
        timer.nextToRetry(0);
        timer.begin(timer.nextToRetry(RETRY_NANOS));
        SpareThreads.prepare();
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

    /** Makes a task that may block and is not started, for a {@linkplain Pending#retry retry} that takes no memory. */
    public static Pending spare(Runnable task) {
        return new Pending(SHARED, 0, task, true);
    }

    /** Runs a task that may block after a delay, on a thread of {@link SpareThreads}; never refuses. */
    public static Pending startBlocking(long delay, TimeUnit unit, Runnable task) {
        return SHARED.schedule(delay, unit, task, true);
    }

    Pending schedule(long delay, TimeUnit unit, Runnable task) {
        return schedule(delay, unit, task, false);
    }

    Pending schedule(long delay, TimeUnit unit, Runnable task, boolean mayBlock) {
        long delayNanos = Math.min(Math.max(unit.toNanos(delay), 0), MAX_DELAY_NANOS);
        Pending pending = new Pending(this, System.nanoTime() + delayNanos, task, mayBlock);
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
            NO_THREAD.say(null, noThread);
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
            if (pending.isInHeap()) {
                heap.remove(pending);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Has it run after a second, on the timer of all. Takes no memory and throws nothing. */
    static void runAgain(Retryable failing) {
        SHARED.retry(failing);
    }

    private void retry(Retryable failing) {
        if (failing.enterFailed()) {
            Retryable head;
            do {
                head = failed.get();
                failing.next = head;
            } while (!failed.compareAndSet(head, failing));
        }
        startRetries();
    }

    /** Sees to it that what is to run again does, for a thread that looks from time to time: there may have been no memory for a thread. */
    public static void ensureSharedRetries() {
        SHARED.ensureRetries();
    }

    void ensureRetries() {
        if (failed.get() != null) {
            startRetries();
        }
    }

    private void startRetries() {
        try {
            lock.lock();
            try {
                ensureWorker();
                LockSupport.unpark(worker); // it notes when
            } finally {
                lock.unlock();
            }
        } catch (Throwable withoutMemory) { // the next call, or the next task that is set, starts the thread
            return;
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
            Retryable due = null;
            try {
                due = awaitDue();
                if (due == null) {
                    return;
                }
                begin(due);
            } catch (Throwable e) { // also an OutOfMemoryError of our own: the next round tries again
                if (due != null && e instanceof VirtualMachineError) {
                    due.runAgain();
                }
                DEADLINE_FAILED.say(due, e);
            }
        }
    }

    /**
     * What may block runs here, where all other deadlines wait for it, only if no thread could be started for it twice: those that hold all
     * threads may be waiting for this very deadline.
     */
    private void begin(Retryable due) {
        boolean mayRunHere = !due.mayBlock() || due.wasRefused;
        due.wasRefused = false;
        if (due.mayBlock() && spareThreads.test(due)) {
            return;
        }
        if (mayRunHere) {
            due.run();
        } else {
            due.wasRefused = true;
            due.runAgain();
        }
    }

    /** Null if the thread shall end, which {@code worker} then says already. */
    private Retryable awaitDue() {
        boolean isIdle = false;
        long idleSinceNanos = 0;
        while (true) {
            Thread.interrupted(); // one that a task left behind would make the waits return immediately
            long waitNanos;
            long now = System.nanoTime();
            Retryable retry = nextToRetry(now);
            if (retry != null) {
                return retry;
            }
            lock.lock();
            try {
                Pending first = heap.first();
                idleSinceNanos = isIdle ? idleSinceNanos : now;
                isIdle = first == null && failed.get() == null;
                waitNanos = (first == null ? idleSinceNanos + IDLE_NANOS : first.deadlineNanos) - now;
                if (waitNanos <= 0 && first != null) {
                    return heap.remove(first);
                }
                if (waitNanos <= 0 && isIdle) {
                    return endWorker();
                }
            } finally {
                lock.unlock();
            }
            LockSupport.parkNanos(
                    this, Math.min(Math.max(1, waitNanos), IDLE_NANOS)); // what it waits for may be cancelled
        }
    }

    private Retryable nextToRetry(long now) {
        if (retried == null && failed.get() != null) {
            failedNanos = hasFailed ? failedNanos : now;
            hasFailed = now - failedNanos < RETRY_NANOS;
            retried = hasFailed ? null : failed.getAndSet(null);
        }
        Retryable first = retried;
        if (first != null) {
            retried = first.next;
            first.leaveFailed();
        }
        return first;
    }

    private Retryable endWorker() {
        worker = null;
        return null;
    }
}
