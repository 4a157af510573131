package org.freshet.internal.time;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.freshet.internal.FailsafeLogMessage;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * The one timer for deadlines that protect the process, such as those of drains or stalled writes. Its daemon thread {@code freshet-timer}
 * starts with the first task, survives anything that a task throws, and ends once nothing has been pending for a second.
 *
 * <p>A task that fails with a {@link VirtualMachineError}, usually because memory is exhausted, runs again after a second. So does a task
 * that could not be handed over for this reason. Any other failure is logged.
 *
 * <p>Applications can block the JDK's common pool, so no safety deadline may depend on it. For the same reason, use {@link #startBlocking}
 * for a task that runs user code or may block.
 *
 * <p>Threading: any thread may start and cancel tasks. The heap and {@code worker} are guarded by the lock, which is never held while a
 * task runs. Tasks to be retried are in a separate list, which needs no memory. Scheduling and cancelling take logarithmic time; a
 * cancelled task is released immediately.
 */
public final class SafetyTimer {
    static final String THREAD_NAME = "freshet-timer";

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(SafetyTimer.class);
    private static final FailsafeLogMessage DEADLINE_FAILED =
            FailsafeLogMessage.error(logger, "a safety deadline failed");
    private static final FailsafeLogMessage NO_THREAD = FailsafeLogMessage.error(
            logger, "cannot start the thread freshet-timer; its deadlines wait until the next one is set");

    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How often failed tasks are retried. */
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Two deadlines are compared by their difference, which must not overflow. */
    private static final long MAX_DELAY_NANOS = Long.MAX_VALUE / 4;

    private static final SafetyTimer SHARED = new SafetyTimer(SafetyTimer::newThread, SpareThreads::offer);

    static {
        rehearse();
    }

    /** A task that was started, or that runs again after a failure. */
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

        /** Drops the task. Has no effect if the task is running or has run. */
        public void cancel() {
            isCancelled = true;
            timer.cancel(this);
        }

        /** Makes the task run once, after a second. Allocates nothing and never throws. */
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

    /** Compares by difference, because nanoTime may overflow. */
    private final IndexedHeap<Pending> heap =
            new IndexedHeap<>((one, other) -> one.deadlineNanos - other.deadlineNanos < 0);

    /** Failed tasks, newest first. */
    private final AtomicReference<Retryable> failed = new AtomicReference<>();

    /** Null while nothing has been pending for some time. Guarded by the lock. */
    private Thread worker;

    /** Whether the thread could not be started although something waits for it. Written under the lock. */
    private volatile boolean isThreadMissing;

    /** Failed tasks that are run next. This and the following fields belong to the worker. */
    private Retryable retried;

    /** When the waiting failed tasks were first seen; meaningless without {@code hasFailed}. */
    private long failedNanos;

    private boolean hasFailed;

    /**
     * @param threads creates threads without starting them
     * @param spareThreads runs tasks that may block; returns false if it currently can't
     */
    SafetyTimer(ThreadFactory threads, Predicate<Runnable> spareThreads) {
        this.threads = threads;
        this.spareThreads = spareThreads;
    }

    /** Retries a task once: the JVM needs memory for code that runs for the first time, and later there may be none. */
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
     * @param task must be short, because all other deadlines wait for it. Its exceptions are logged.
     */
    public static Pending start(long delay, TimeUnit unit, Runnable task) {
        return SHARED.schedule(delay, unit, task);
    }

    /** Creates a task that may block and is not started, to be {@linkplain Pending#retry retried} without allocating. */
    public static Pending spare(Runnable task) {
        return new Pending(SHARED, 0, task, true);
    }

    /** Runs a task that may block after a delay, on one of the {@link SpareThreads}; never refuses. */
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
            NO_THREAD.log(null, noThread);
        }
        return pending;
    }

    /** Under the lock. Returns why the thread can't be started; null if there is a thread. */
    private Throwable ensureWorker() {
        if (worker != null && worker.isAlive()) {
            return null;
        }
        try {
            Thread started = threads.newThread(this::work);
            started.start();
            worker = started;
            isThreadMissing = false;
            return null;
        } catch (Throwable e) {
            worker = null;
            isThreadMissing = true;
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

    /** Makes the work run once, after a second, on the shared timer. Allocates nothing and never throws. */
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

    /**
     * Makes sure that retries and deadlines run. Called from time to time by other threads, because there may have been no memory to start
     * this one.
     */
    public static void ensureSharedRetries() {
        SHARED.ensureRetries();
    }

    void ensureRetries() {
        if (failed.get() != null || isThreadMissing) {
            startRetries();
        }
    }

    private void startRetries() {
        try {
            lock.lock();
            try {
                ensureWorker();
                LockSupport.unpark(worker); // it notes the time
            } finally {
                lock.unlock();
            }
        } catch (Throwable withoutMemory) { // the next call, or the next task, starts the thread
            return;
        }
    }

    /** Returns how many tasks wait. */
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
            } catch (Throwable e) { // including our own OutOfMemoryError: the next round tries again
                if (due != null && e instanceof VirtualMachineError) {
                    due.runAgain();
                }
                DEADLINE_FAILED.log(due, e);
            }
        }
    }

    /**
     * Runs due work. Work that may block runs here, delaying all other deadlines, only if no thread could be started for it twice: the code
     * that holds all threads may be waiting for this very deadline.
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

    /** Returns null if the thread should end; {@code worker} is already null then. */
    private Retryable awaitDue() {
        boolean isIdle = false;
        long idleSinceNanos = 0;
        while (true) {
            Thread.interrupted(); // an interrupt left behind by a task would make the waits return immediately
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
                    this, Math.min(Math.max(1, waitNanos), IDLE_NANOS)); // the next task may have been cancelled
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
