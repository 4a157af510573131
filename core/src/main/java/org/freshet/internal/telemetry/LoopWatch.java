package org.freshet.internal.telemetry;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.freshet.channel.Channel;
import org.freshet.internal.FailsafeLogMessage;
import org.freshet.internal.flight.Flight;
import org.freshet.internal.time.SafetyTimer;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Checks all loops at equal intervals, and reports those that have been in the same handler, listener or task for too long.
 *
 * <p>The loops only have to count their steps. A loop is stuck if it has neither waited nor made a step since the last check; a loop that
 * is merely busy makes steps. Time by which the watch itself was late (a garbage collection, a suspended machine, too few processors)
 * doesn't count.
 *
 * <p>Threading: one daemon thread, which runs while there are loops, owns everything marked "Watch only."; any thread may call the rest. No
 * lock is held while a listener runs.
 */
public final class LoopWatch {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(LoopWatch.class);
    private static final FailsafeLogMessage NOT_WATCHED =
            FailsafeLogMessage.warning(logger, "cannot watch the I/O loops");
    private static final FailsafeLogMessage WATCH_FAILED =
            FailsafeLogMessage.warning(logger, "the watch of the I/O loops failed; it continues");
    private static final FailsafeLogMessage LISTENER_FAILED =
            FailsafeLogMessage.warning(logger, "a listener for stalled loops failed");

    /** The number of checks within the time limit. */
    private static final int LOOKS = 2;

    /** The interval without a limit, for the queue delays. */
    private static final long IDLE_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** With a lower limit, the watch would wake up too often. */
    private static final long MIN_LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final LoopWatch INSTANCE = new LoopWatch(System::nanoTime);

    private final LongSupplier nanoClock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<WatchedLoop, Sight> sights = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> stallsByType = new ConcurrentHashMap<>();
    private final StallLog log = new StallLog();

    /** Guarded by the lock. Null while there is no loop. */
    private Thread thread;

    /** Guarded by the lock. If set, the next check must not wait, so that ended loops can be garbage collected. */
    private boolean hasEndedLoops;

    private volatile long limitNanos = TimeUnit.MILLISECONDS.toNanos(Long.getLong("org.freshet.stallMillis", 1000));
    private volatile Consumer<StallReport> listener = log;

    /** Watch only. When the next check is due. */
    private long dueNanos;

    LoopWatch(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** The instance with which all loops of the JVM are registered. */
    public static LoopWatch instance() {
        return INSTANCE;
    }

    /** What the watch has seen of a loop. Watch only, except for the count of stalls. */
    private static final class Sight {
        long steps = -1;

        /** When the loop was first seen at its current step. */
        long sinceNanos;

        /** How long the loop must be at the same step for the next report. */
        long reportAtNanos;

        /** Null while the loop is not stuck. */
        StallReport report;

        volatile boolean isProbed;
        volatile long stalls;

        /** Whether the loop has ended. The watch reports the end of its stall, if any, before it forgets the loop. */
        volatile boolean isEnded;
    }

    // ---- any thread -------------------------------------------------------------------------------------------------

    /** Starts to watch a loop that is about to run. Never throws: the loop must run even if it isn't watched. */
    public void register(WatchedLoop loop) {
        try {
            add(loop);
            ensureThread();
        } catch (Throwable t) { // no memory, or no thread: the next loop tries again
            NOT_WATCHED.log(null, t);
        }
    }

    private void ensureThread() {
        lock.lock();
        try {
            if (thread == null || !thread.isAlive()) {
                thread = null;
                Thread started = new Thread(null, this::run, "freshet-loop-watch", 0, false);
                started.setDaemon(true);
                started.setContextClassLoader(null);
                thread = started; // before it runs and checks
                try {
                    started.start();
                } catch (Throwable t) {
                    thread = null;
                    throw t;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Adds a loop without starting a thread; for tests. */
    void add(WatchedLoop loop) {
        sights.put(loop, new Sight());
    }

    /** Called when a loop has ended. If it was stuck, the end of the stall is reported. */
    public void unregister(WatchedLoop loop) {
        Sight sight = sights.get(loop);
        if (sight == null) {
            return;
        }
        boolean isWatched;
        lock.lock();
        try {
            sight.isEnded = true;
            isWatched = thread != null;
            hasEndedLoops = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (!isWatched) {
            forget(loop, sight, nanoClock.getAsLong());
        }
    }

    /**
     * @param nanos 0 for no limit
     */
    public void setLimitNanos(long nanos) {
        limitNanos = nanos <= 0 ? 0 : Math.max(MIN_LIMIT_NANOS, nanos);
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    public long limitNanos() {
        return limitNanos;
    }

    /**
     * @param listener called on the watch's thread; null for the one that writes to the log
     */
    public void setListener(Consumer<StallReport> listener) {
        this.listener = listener == null ? log : listener;
    }

    /** Returns how often the loop has been stuck. */
    public long stalls(WatchedLoop loop) {
        Sight sight = sights.get(loop);
        return sight == null ? 0 : sight.stalls;
    }

    /** Returns the number of stalls by the class of the handler, listener or task. */
    public Map<String, Long> stallsByType() {
        Map<String, Long> sums = new TreeMap<>();
        stallsByType.forEach((type, count) -> sums.put(type, count.sum()));
        return sums;
    }

    // ---- the watch --------------------------------------------------------------------------------------------------

    private void run() {
        begin();
        pause(0); // as a rehearsal
        Flight.isRecordingLoops(); // class initialization that fails for lack of memory fails forever
        boolean isWanted = true;
        while (isWanted) {
            try {
                isWanted = awaitNext();
                if (isWanted) {
                    look();
                    endWithoutLoops();
                }
            } catch (Throwable t) {
                WATCH_FAILED.log(null, t);
                pause(intervalNanos()); // the wait may be what has failed
            }
        }
    }

    private void pause(long nanos) {
        LockSupport.parkNanos(this, nanos);
    }

    private void endWithoutLoops() {
        lock.lock();
        try {
            if (sights.isEmpty() && thread == Thread.currentThread()) {
                thread = null;
            }
        } finally {
            lock.unlock();
        }
    }

    private long intervalNanos() {
        long limit = limitNanos;
        return limit == 0 ? IDLE_INTERVAL_NANOS : limit / LOOKS;
    }

    /** Also for tests. */
    void begin() {
        dueNanos = nanoClock.getAsLong() + intervalNanos();
    }

    /** Waits until the next check is due; returns false if this thread should end. */
    private boolean awaitNext() {
        lock.lock();
        try {
            long left = intervalNanos();
            while (thread == Thread.currentThread() && left > 0 && !hasEndedLoops) {
                left = Math.min(changed.awaitNanos(left), intervalNanos()); // the interval may have become shorter
            }
            hasEndedLoops = false;
            return thread == Thread.currentThread();
        } catch (InterruptedException e) {
            return true; // not meant for this thread
        } finally {
            lock.unlock();
        }
    }

    /** Checks each loop once. Also for tests. */
    void look() {
        SafetyTimer.ensureSharedRetries();
        long nowNanos = nanoClock.getAsLong();
        long lateNanos = Math.max(0, nowNanos - dueNanos);
        boolean isTooLate = lateNanos > intervalNanos();
        dueNanos = nowNanos + intervalNanos();
        sights.forEach((loop, sight) -> {
            try {
                look(loop, sight, nowNanos, lateNanos, isTooLate);
            } catch (Throwable t) { // the other loops are still checked
                WATCH_FAILED.log(null, t);
            }
        });
        if (Flight.isRecordingLoops()) {
            sights.keySet().forEach(LoopWatch::record);
        }
    }

    private void look(WatchedLoop loop, Sight sight, long nowNanos, long lateNanos, boolean isTooLate) {
        if (sight.report == null) {
            sight.sinceNanos = isTooLate ? nowNanos : sight.sinceNanos + lateNanos;
        }
        if (sight.isEnded) {
            forget(loop, sight, nowNanos);
        } else {
            lookAt(loop, sight, nowNanos);
            probe(loop, sight, nowNanos);
        }
    }

    private void lookAt(WatchedLoop loop, Sight sight, long nowNanos) {
        long steps = loop.counters().steps();
        if (loop.isWaiting() || steps != sight.steps) {
            StallReport ended = sight.report;
            sight.report = null;
            loop.counters().setStalled(false);
            long nanos = nowNanos - sight.sinceNanos;
            sight.steps = steps;
            sight.sinceNanos = nowNanos;
            sight.reportAtNanos = limitNanos;
            reportEnd(ended, nanos);
            return;
        }
        long nanos = nowNanos - sight.sinceNanos;
        if (limitNanos > 0 && nanos >= sight.reportAtNanos) {
            report(loop, sight, nanos);
        }
    }

    private void forget(WatchedLoop loop, Sight sight, long nowNanos) {
        if (sights.remove(loop, sight)) {
            reportEnd(sight.report, nowNanos - sight.sinceNanos);
        }
    }

    /**
     * @param ended null if there was no stall
     */
    private void reportEnd(StallReport ended, long nanos) {
        if (ended != null) {
            Flight.stalled(ended.loopName(), ended.channel(), ended.type(), ended.where(), nanos);
            notifyListener(ended.over(nanos));
        }
    }

    private void report(WatchedLoop loop, Sight sight, long nanos) {
        StallReport seen = sight.report == null ? inspect(loop, sight, nanos) : sight.report.after(nanos);
        if (seen == null) {
            return;
        }
        if (sight.report == null) {
            sight.stalls++;
            loop.counters().setStalled(true);
            stallsByType
                    .computeIfAbsent(String.valueOf(seen.type()), type -> new LongAdder())
                    .increment();
        }
        sight.report = seen;
        sight.reportAtNanos = 2 * nanos;
        notifyListener(seen);
    }

    /** Returns null if the loop has made progress in the meantime. */
    private StallReport inspect(WatchedLoop loop, Sight sight, long nanos) {
        Thread stuck = loop.thread();
        if (stuck == null) {
            return null;
        }
        int id = loop.counters().channelId();
        StackTraceElement[] stack = stuck.getStackTrace();
        if (loop.isWaiting() || loop.counters().steps() != sight.steps || stack.length == 0) {
            return null;
        }
        Channel channel = id == 0 ? null : loop.channel(id);
        StackTraceElement code = UserCode.calledLast(stack);
        if (code == null && isSelecting(stack)) {
            return null; // it is waiting, but has had no CPU time to say so
        }
        return new StallReport(stuck.getName(), stuck, channel, stack, code, loop.channelCount(), nanos, false);
    }

    /** Whether the JDK's selector is on the stack; for a stack without user code. */
    private static boolean isSelecting(StackTraceElement[] stack) {
        for (StackTraceElement frame : stack) {
            if (frame.getClassName().equals("sun.nio.ch.SelectorImpl")) {
                return true;
            }
        }
        return false;
    }

    private void notifyListener(StallReport report) {
        try {
            listener.accept(report);
        } catch (Throwable t) {
            LISTENER_FAILED.log(null, t);
        }
    }

    private static void record(WatchedLoop loop) {
        Thread thread = loop.thread();
        LoopCounters counters = loop.counters();
        long iterations = 0;
        for (long count : counters.iterations().counts()) {
            iterations += count;
        }
        Flight.loopStatistics(
                thread == null ? "" : thread.getName(),
                loop.channelCount(),
                loop.pendingTasks(),
                iterations,
                counters.iterations().sumNanos(),
                counters.bytesRead(),
                counters.bytesWritten());
    }

    /** Measures how long a task waits, unless the loop sleeps: then the task would not wait at all. */
    private void probe(WatchedLoop loop, Sight sight, long nowNanos) {
        if (sight.isProbed || loop.isWaiting()) {
            return;
        }
        sight.isProbed = true; // first: the task may run before submit() returns
        boolean isSubmitted = false;
        try {
            isSubmitted = loop.submit(() -> {
                loop.counters().onQueueDelay(nanoClock.getAsLong() - nowNanos);
                sight.isProbed = false;
            });
        } finally {
            if (!isSubmitted) {
                sight.isProbed = false;
            }
        }
    }
}
