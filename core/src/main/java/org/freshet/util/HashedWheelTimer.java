package org.freshet.util;

import java.util.Collections;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.freshet.internal.FailsafeLogMessage;
import org.freshet.internal.StoppedTimerTask;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * A timer for large numbers of time-outs, most of them cancelled before they expire, like those of connections.
 *
 * <p>Time is cut into ticks. A task starts at the first tick once its delay has elapsed: up to one tick late, never
 * early. The tick duration is the precision. Each tick visits one bucket of the wheel, round and round. A time-out sits
 * in the bucket of the tick at which it expires; if its delay is longer than one round, it is passed over once per
 * round. Scheduling and cancelling take constant time however many are pending, and memory is freed immediately.
 *
 * <p>A timer has one thread, started by the first {@link #newTimeout} and ended by {@link #stop}; it sleeps while
 * nothing is pending. Share one timer among all channels of an application: more than {@value #MANY_RUNNING_TIMERS}
 * running at a time are logged once, as a probable leak.
 *
 * <p>Threading: any thread may call any method. The wheel belongs to its {@link WheelShare}s, each guarded by its own
 * lock; the timer's state changes under {@code lifeLock}. Tasks run on the timer's thread, one after another.
 */
public class HashedWheelTimer implements Timer {
    /** The thread has not been started. */
    public static final int WORKER_STATE_INIT = 0;

    /** Ticking. */
    public static final int WORKER_STATE_STARTED = 1;

    /** Stopped permanently. */
    public static final int WORKER_STATE_SHUTDOWN = 2;

    static final int MANY_RUNNING_TIMERS = 64;

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(HashedWheelTimer.class);
    private static final FailsafeLogMessage TIMER_FAILED =
            FailsafeLogMessage.warning(logger, "the timer failed and continues");
    private static final FailsafeLogMessage TASK_FAILED = FailsafeLogMessage.warning(logger, "a timer task failed");

    private static final InstanceLimit RUNNING_TIMERS = new InstanceLimit(HashedWheelTimer.class, MANY_RUNNING_TIMERS);
    private static final AtomicInteger TIMERS_STARTED = new AtomicInteger();

    private static final long DEFAULT_TICK_MILLIS = 100;
    private static final int DEFAULT_TICKS_PER_WHEEL = 512;

    /** Enough to keep contention rare, few enough that visiting all of them at each tick costs nothing. */
    private static final int MAX_SHARES = 16;

    private final ThreadFactory threadFactory;

    /** Null means {@link ThreadRenamingRunnable#getThreadNameDeterminer()} decides. */
    private final ThreadNameDeterminer determiner;

    private final long tickNanos;
    private final int ticksPerWheel;
    private final WheelClock clock;

    /** The time of tick 0. */
    private final long epochNanos;

    /** Its length is a power of two. */
    private final WheelShare[] shares;

    /** 0 means no limit; {@code admitted} is then not maintained. */
    private final long maxPendingTimeouts;

    private final AtomicLong admitted = new AtomicLong();

    private final ReentrantLock lifeLock = new ReentrantLock();

    /** Written under {@code lifeLock}. */
    private volatile int workerState = WORKER_STATE_INIT;

    /** Written under {@code lifeLock}, before the thread starts. */
    private volatile Thread worker;

    /** Set while the worker sleeps or is about to. The next thread to schedule a task unparks it. */
    private volatile boolean idle;

    /** Ticks of 100 ms, 512 per round, on a thread from {@link Executors#defaultThreadFactory()}. */
    public HashedWheelTimer() {
        this(Executors.defaultThreadFactory());
    }

    public HashedWheelTimer(long tickDuration, TimeUnit unit) {
        this(Executors.defaultThreadFactory(), tickDuration, unit);
    }

    public HashedWheelTimer(long tickDuration, TimeUnit unit, int ticksPerWheel) {
        this(Executors.defaultThreadFactory(), tickDuration, unit, ticksPerWheel);
    }

    public HashedWheelTimer(ThreadFactory threadFactory) {
        this(threadFactory, DEFAULT_TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    public HashedWheelTimer(ThreadFactory threadFactory, long tickDuration, TimeUnit unit) {
        this(threadFactory, tickDuration, unit, DEFAULT_TICKS_PER_WHEEL);
    }

    public HashedWheelTimer(ThreadFactory threadFactory, long tickDuration, TimeUnit unit, int ticksPerWheel) {
        this(threadFactory, null, tickDuration, unit, ticksPerWheel);
    }

    public HashedWheelTimer(
            ThreadFactory threadFactory,
            ThreadNameDeterminer determiner,
            long tickDuration,
            TimeUnit unit,
            int ticksPerWheel) {
        this(threadFactory, determiner, tickDuration, unit, ticksPerWheel, 0);
    }

    /**
     * Creates a timer that is not started.
     *
     * @param threadFactory makes the timer's only thread, at the first time-out; it decides whether the thread is a
     *     daemon
     * @param determiner names the thread; null uses {@link ThreadRenamingRunnable#getThreadNameDeterminer()}
     * @param tickDuration the precision, more than 0
     * @param ticksPerWheel number of buckets in the wheel, from 1 to 2^30, rounded up to a power of two; choose it so
     *     that most delays are shorter than a round
     * @param maxPendingTimeouts how many time-outs may be pending; beyond that {@link #newTimeout} throws
     *     {@link RejectedExecutionException}. 0 means no limit
     */
    public HashedWheelTimer(
            ThreadFactory threadFactory,
            ThreadNameDeterminer determiner,
            long tickDuration,
            TimeUnit unit,
            int ticksPerWheel,
            long maxPendingTimeouts) {
        this(threadFactory, determiner, tickDuration, unit, ticksPerWheel, maxPendingTimeouts, WheelClock.SYSTEM);
    }

    HashedWheelTimer(
            ThreadFactory threadFactory,
            ThreadNameDeterminer determiner,
            long tickDuration,
            TimeUnit unit,
            int ticksPerWheel,
            long maxPendingTimeouts,
            WheelClock clock) {
        if (tickDuration <= 0) {
            throw new IllegalArgumentException("tickDuration <= 0: " + tickDuration);
        }
        if (ticksPerWheel <= 0 || ticksPerWheel > 1 << 30) {
            throw new IllegalArgumentException("ticksPerWheel is not from 1 to 2^30: " + ticksPerWheel);
        }
        if (maxPendingTimeouts < 0) {
            throw new IllegalArgumentException("maxPendingTimeouts < 0: " + maxPendingTimeouts);
        }
        this.threadFactory = Objects.requireNonNull(threadFactory, "threadFactory");
        this.determiner = determiner;
        this.ticksPerWheel = ceilingPowerOfTwo(ticksPerWheel);
        this.tickNanos = unit.toNanos(tickDuration);
        if (tickNanos > Long.MAX_VALUE / this.ticksPerWheel) {
            throw new IllegalArgumentException(
                    "tickDuration is too long for " + ticksPerWheel + " ticks: " + tickDuration + " " + unit);
        }
        this.maxPendingTimeouts = maxPendingTimeouts;
        this.clock = clock;
        this.epochNanos = clock.nanos();
        this.shares = newShares();
    }

    private static int ceilingPowerOfTwo(int value) {
        return value == 1 ? 1 : Integer.highestOneBit(value - 1) << 1;
    }

    private WheelShare[] newShares() {
        int cores = Runtime.getRuntime().availableProcessors();
        WheelShare[] made = new WheelShare[Math.min(ceilingPowerOfTwo(cores), MAX_SHARES)];
        for (int i = 0; i < made.length; i++) {
            made[i] = new WheelShare(this, ticksPerWheel);
        }
        return made;
    }

    /**
     * Starts the timer's thread unless it is already running. {@link #newTimeout} does this too.
     *
     * @throws IllegalStateException if the timer was stopped
     */
    public void start() {
        lifeLock.lock();
        try {
            if (workerState == WORKER_STATE_SHUTDOWN) {
                throw stopped();
            }
            if (workerState == WORKER_STATE_INIT) {
                worker = newWorker();
                worker.start();
                workerState = WORKER_STATE_STARTED;
                RUNNING_TIMERS.opened();
            }
        } finally {
            lifeLock.unlock();
        }
    }

    private Thread newWorker() {
        String name = "Hashed wheel timer #" + TIMERS_STARTED.incrementAndGet();
        Runnable named = new ThreadRenamingRunnable(this::work, name, determiner);
        Thread thread = threadFactory.newThread(() -> runWorker(named));
        if (thread == null) {
            throw new IllegalStateException("threadFactory returned null: " + threadFactory);
        }
        return thread;
    }

    /** If the thread dies, the next time-out starts another. */
    private void runWorker(Runnable work) {
        try {
            work.run();
        } finally {
            lifeLock.lock();
            try {
                if (workerState == WORKER_STATE_STARTED) {
                    workerState = WORKER_STATE_INIT;
                    RUNNING_TIMERS.closed();
                }
            } finally {
                lifeLock.unlock();
            }
        }
    }

    private static IllegalStateException stopped() {
        return new IllegalStateException("timer was stopped");
    }

    /**
     * {@inheritDoc}
     *
     * <p>The timer's thread is interrupted, to end a blocked task, and joined.
     *
     * <p>Stop a timer after the channels whose handlers use it are closed. A limit of HTTP, HTTP/2 or SPDY, of a
     * handshake, of the choice of a protocol or of a close continues on Freshet's own timer, although it's among the
     * time-outs returned. Anything else that a handler waits for doesn't happen: an {@code IdleStateHandler} notices no
     * idle channel, and what a traffic shaper holds waits until its channel closes.
     */
    @Override
    public Set<Timeout> stop() {
        if (Thread.currentThread() == worker) {
            throw new IllegalStateException("a task of this timer cannot stop it: it would wait for itself");
        }
        int stateBefore = shutDown();
        if (stateBefore == WORKER_STATE_SHUTDOWN) {
            return Collections.emptySet();
        }
        if (stateBefore == WORKER_STATE_STARTED) {
            RUNNING_TIMERS.closed();
            worker.interrupt();
            joinWorker();
        }
        Set<WheelTimeout> leftOver = new HashSet<>();
        for (WheelShare share : shares) {
            share.close(leftOver);
        }
        leftOver.forEach(HashedWheelTimer::handOver);
        return Collections.unmodifiableSet(leftOver);
    }

    private static void handOver(WheelTimeout pending) {
        if (pending.getTask() instanceof StoppedTimerTask task) {
            task.onTimerStopped(pending.nanosLeft());
        }
    }

    private int shutDown() {
        lifeLock.lock();
        try {
            int before = workerState;
            workerState = WORKER_STATE_SHUTDOWN;
            return before;
        } finally {
            lifeLock.unlock();
        }
    }

    private void joinWorker() {
        boolean interrupted = false;
        while (true) {
            try {
                worker.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
        Objects.requireNonNull(task, "task");
        long delayNanos = unit.toNanos(delay);
        if (workerState != WORKER_STATE_STARTED) {
            start();
        }
        admit();
        WheelTimeout timeout;
        try {
            timeout = add(task, tickAfter(delayNanos));
        } catch (RuntimeException | Error e) {
            releaseAdmission();
            throw e;
        }
        if (idle) {
            LockSupport.unpark(worker);
        }
        return timeout;
    }

    private WheelTimeout add(TimerTask task, long dueTick) {
        WheelShare share = shares[(int) Thread.currentThread().getId() & shares.length - 1];
        WheelTimeout timeout = new WheelTimeout(share, task, dueTick);
        if (!share.add(timeout)) {
            throw stopped();
        }
        return timeout;
    }

    private void admit() {
        if (maxPendingTimeouts > 0 && admitted.incrementAndGet() > maxPendingTimeouts) {
            admitted.decrementAndGet();
            throw new RejectedExecutionException("too many pending time-outs; the maximum is " + maxPendingTimeouts);
        }
    }

    /** Called once for each admitted time-out, when it is cancelled or expires. */
    void releaseAdmission() {
        if (maxPendingTimeouts > 0) {
            admitted.decrementAndGet();
        }
    }

    /**
     * Returns how many time-outs have neither expired nor been cancelled. It visits the whole timer, so use it for
     * monitoring only.
     */
    public long pendingTimeouts() {
        long pending = 0;
        for (WheelShare share : shares) {
            pending += share.pending();
        }
        return pending;
    }

    private long elapsedNanos() {
        return clock.nanos() - epochNanos;
    }

    /** The first tick at or after the end of the delay. A delay that would overflow ends at {@link Long#MAX_VALUE}. */
    private long tickAfter(long delayNanos) {
        long elapsed = elapsedNanos();
        long deadline = elapsed + Math.min(Math.max(delayNanos, 0), Long.MAX_VALUE - elapsed);
        return deadline == 0 ? 0 : (deadline - 1) / tickNanos + 1;
    }

    long nanosUntil(long tick) {
        return tick > Long.MAX_VALUE / tickNanos ? Long.MAX_VALUE : tick * tickNanos - elapsedNanos();
    }

    private void work() {
        long tick = 0;
        while (!isStopping()) {
            try {
                tick = turn(tick);
            } catch (Throwable t) { // such as an OutOfMemoryError: time-outs must keep working
                TIMER_FAILED.log(null, t);
            }
        }
    }

    /** Waits, or visits the buckets of one tick. Returns the next tick to visit. */
    private long turn(long next) {
        long tick = next;
        long reached = elapsedNanos() / tickNanos;
        if (pendingTimeouts() == 0) {
            sleepWhileEmpty();
        } else if (tick > reached) {
            clock.awaitUntil(epochNanos + tick * tickNanos);
        } else {
            // after a long sleep one round is enough: it visits every bucket and everything overdue in it
            tick = Math.max(tick, reached - ticksPerWheel + 1);
            expire(tick++);
        }
        return tick;
    }

    /**
     * Call this before each sleep. It first clears the interrupt, because an interrupt left behind by a task would keep
     * the thread from ever sleeping again. Only then does it read the state: {@link #stop} sets the state before it
     * interrupts.
     */
    private boolean isStopping() {
        Thread.interrupted();
        return workerState == WORKER_STATE_SHUTDOWN;
    }

    /**
     * Sets {@code idle} before checking, and schedulers check {@code idle} after adding: one of the two sees the other.
     */
    private void sleepWhileEmpty() {
        idle = true;
        try {
            while (!isStopping() && pendingTimeouts() == 0) {
                LockSupport.park(this);
            }
        } finally {
            idle = false;
        }
    }

    private void expire(long tick) {
        for (WheelShare share : shares) {
            share.advanceTo(tick);
            for (WheelTimeout due = pollDue(share, tick); due != null; due = pollDue(share, tick)) {
                releaseAdmission();
                runTask(due);
            }
        }
    }

    private WheelTimeout pollDue(WheelShare share, long tick) {
        return workerState == WORKER_STATE_SHUTDOWN ? null : share.pollDue(tick);
    }

    private static void runTask(WheelTimeout timeout) {
        try {
            timeout.getTask().run(timeout);
        } catch (Throwable t) {
            TASK_FAILED.log(timeout.getTask(), t);
        }
    }
}
