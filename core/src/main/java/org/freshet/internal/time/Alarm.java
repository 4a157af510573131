package org.freshet.internal.time;

import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.freshet.internal.FailsafeLogMessage;
import org.freshet.internal.StoppedTimerTask;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;
import org.freshet.util.Timeout;
import org.freshet.util.Timer;
import org.freshet.util.TimerTask;

/**
 * Runs its task at the time for which it is set. It can be set any number of times, but only for one time at a time.
 *
 * <pre>
 *   set ----&gt; the timer --time is over--&gt; the executor ----&gt; off, and the task runs
 *                |                              |                      |
 *                +------------ an Error --------+------ a failure -----+----&gt; the executor again, after a second
 * </pre>
 *
 * <p>So a single failure doesn't stop the task: if the timer, the executor or the task runs out of memory, or the task throws before it has
 * set the alarm again, the task runs again after a second. A task must look at its state each time, because it may run early, late or
 * again.
 *
 * <p>If the timer refuses with an exception, as a stopped timer does, the {@link SafetyTimer} keeps the time of a {@linkplain #ofLimit limit};
 * for any other alarm, the exception is thrown to the caller and the alarm is off. An exception after the timer has run the task is only
 * logged. If the timer is stopped while it has the task, a limit continues on the {@link SafetyTimer}; any other alarm stays set and never
 * goes off.
 *
 * <p>Any thread may call any method, without holding a lock, because the timer is user code.
 */
public final class Alarm extends Retryable {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(Alarm.class);
    private static final FailsafeLogMessage TIMER_THREW =
            FailsafeLogMessage.warning(logger, "a timer threw when a task was cancelled; the task has no effect");
    private static final FailsafeLogMessage TIMER_RAN_AND_THREW = FailsafeLogMessage.warning(
            logger, "a timer threw although it had taken the task, which does not run again");
    private static final FailsafeLogMessage TIMER_REFUSED =
            FailsafeLogMessage.warning(logger, "a timer refused a deadline, which Freshet's own timer keeps instead");

    /** Ten lines, then one per second: while a user's timer is full, each new connection would log one. Guarded by itself. */
    private static final TokenBucket REFUSAL_LINES = new TokenBucket(10, 1, System::nanoTime);

    private static final FailsafeLogMessage TIMEOUT_FAILED =
            FailsafeLogMessage.warning(logger, "a time-out failed; trying again in a second");

    /** Marks that the {@link SafetyTimer} will try again, in place of a time-out. */
    private static final Shot RETRY = new Shot(null, 0);

    /** Not a VarHandle, whose first use allocates: {@link #retry} may be called when memory is exhausted. */
    private static final AtomicReferenceFieldUpdater<Alarm, Shot> CURRENT =
            AtomicReferenceFieldUpdater.newUpdater(Alarm.class, Shot.class, "current");

    private final Timer timer;
    private final Executor executor;
    private final Runnable task;

    /** Whether the time continues on the {@link SafetyTimer} if the timer is stopped. */
    private final boolean isLimit;

    /** Null while the alarm is off. */
    private volatile Shot current;

    /** Whether the timer has refused since the alarm was last set. */
    private volatile boolean isRefused;

    /**
     * @param timer null for the {@link SafetyTimer}
     * @param executor runs the task on the right thread; called on the timer's thread or another one that may block
     */
    public Alarm(Timer timer, Executor executor, Runnable task) {
        this(timer, executor, task, false);
    }

    private Alarm(Timer timer, Executor executor, Runnable task, boolean isLimit) {
        this.timer = timer;
        this.executor = executor;
        this.task = task;
        this.isLimit = isLimit;
    }

    /**
     * Creates an alarm whose time the {@link SafetyTimer} keeps if the timer refuses it, or continues if the timer is stopped; see {@link
     * StoppedTimerTask} for the timers that support that.
     */
    public static Alarm ofLimit(Timer timer, Executor executor, Runnable task) {
        return new Alarm(timer, executor, task, true);
    }

    /** One time for which the alarm is set. */
    private static final class Shot implements TimerTask, StoppedTimerTask, Runnable {
        final Alarm alarm;

        /** In the caller's clock. */
        final long dueNanos;

        private static final AtomicReferenceFieldUpdater<Shot, Object> HANDLE =
                AtomicReferenceFieldUpdater.newUpdater(Shot.class, Object.class, "handle");

        /** A {@link Timeout}, or the {@link SafetyTimer}'s handle; null before the timer has it. */
        private volatile Object handle;

        Shot(Alarm alarm, long dueNanos) {
            this.alarm = alarm;
            this.dueNanos = dueNanos;
        }

        void start(long delayNanos) {
            Object taken = alarm.timer == null ? startSafely(delayNanos) : startByTimer(delayNanos);
            HANDLE.compareAndSet(
                    this, null, taken); // unless the timer has been stopped since, and another one has the rest
            cancelIfReplaced();
        }

        private Object startByTimer(long delayNanos) {
            try {
                return alarm.timer.newTimeout(this, delayNanos, TimeUnit.NANOSECONDS);
            } catch (VirtualMachineError e) {
                throw e;
            } catch (Throwable refused) {
                if (!alarm.isLimit || alarm.current != this) {
                    throw refused;
                }
                logRefusal(refused);
                return startSafely(delayNanos);
            }
        }

        private SafetyTimer.Pending startSafely(long delayNanos) {
            return SafetyTimer.startBlocking(delayNanos, TimeUnit.NANOSECONDS, this::expire);
        }

        private void cancelIfReplaced() {
            if (alarm.current != this) {
                cancel();
            }
        }

        @Override
        public void onTimerStopped(long leftNanos) {
            if (!alarm.isLimit || alarm.current != this) {
                return;
            }
            try {
                handle = startSafely(leftNanos);
                cancelIfReplaced();
            } catch (Error e) { // usually out of memory
                alarm.onFailed(this, e);
            }
        }

        void cancel() {
            try {
                if (handle instanceof Timeout timeout) {
                    timeout.cancel();
                } else if (handle instanceof SafetyTimer.Pending pending) {
                    pending.cancel();
                }
            } catch (Throwable e) {
                TIMER_THREW.log(null, e);
            }
        }

        @Override
        public void run(Timeout expired) {
            expire();
        }

        private void expire() {
            try {
                alarm.executor.execute(this);
            } catch (Error e) {
                alarm.onFailed(this, e);
            }
        }

        @Override
        public void run() {
            alarm.goOff(this);
        }
    }

    private static void logRefusal(Throwable refused) {
        boolean mayLog;
        synchronized (REFUSAL_LINES) {
            mayLog = REFUSAL_LINES.take();
        }
        if (mayLog) {
            TIMER_REFUSED.log(null, refused);
        }
    }

    /** Whether the alarm is set. */
    public boolean isSet() {
        return current != null;
    }

    /**
     * Sets the alarm, replacing the previous time. For a task that notices itself whether it runs early.
     *
     * @throws RuntimeException or an Error other than a VirtualMachineError, thrown by the timer; the alarm is off then
     */
    public void set(long delayNanos) {
        try {
            start(delayNanos);
        } catch (VirtualMachineError e) { // usually out of memory
            retry();
        }
    }

    /**
     * Sets the alarm, replacing the previous time. For a task that must not run early.
     *
     * @throws RuntimeException or an Error, thrown by the timer; the alarm is off then
     */
    public void start(long delayNanos) {
        Shot shot = new Shot(this, 0);
        cancel(swap(shot));
        start(shot, delayNanos);
    }

    /**
     * Sets the alarm unless it is set for an earlier time. All times must be from the same clock, and {@link #set} must not be used.
     *
     * @throws RuntimeException or an Error other than a VirtualMachineError, thrown by the timer; the alarm is off then
     */
    public void setBy(long dueNanos, long nowNanos) {
        try {
            Shot before = current;
            while (before == null || before != RETRY && before.dueNanos - dueNanos > 0) {
                Shot shot = new Shot(this, dueNanos);
                if (replace(before, shot)) {
                    cancel(before);
                    start(shot, dueNanos - nowNanos);
                    return;
                }
                before = current;
            }
        } catch (VirtualMachineError e) { // usually out of memory
            retry();
        }
        if (current == RETRY) {
            runAgain(); // there may have been no thread for it
        }
    }

    private void start(Shot shot, long delayNanos) {
        isRefused = false;
        try {
            shot.start(Math.max(0, delayNanos));
        } catch (Throwable e) {
            if (!replace(shot, null)) { // the timer has run it, or another thread has set or cancelled the alarm
                TIMER_RAN_AND_THREW.log(task, e);
                return;
            }
            isRefused = !(e instanceof VirtualMachineError);
            throw e;
        }
    }

    /** Sets the alarm for a second from now, replacing the previous time. Allocates nothing. */
    public void retry() {
        cancel(swap(RETRY));
        runAgain();
    }

    @Override
    void runAgain() {
        SafetyTimer.runAgain(this);
    }

    /** Turns the alarm off until it is set again. */
    public void cancel() {
        cancel(swap(null));
    }

    private static void cancel(Shot shot) {
        if (shot != null) {
            shot.cancel();
        }
    }

    private boolean replace(Shot expected, Shot next) {
        return CURRENT.compareAndSet(this, expected, next);
    }

    private Shot swap(Shot next) {
        return CURRENT.getAndSet(this, next);
    }

    /** Called by the {@link SafetyTimer}. */
    @Override
    void work() {
        if (current == RETRY) {
            executor.execute(() -> goOff(RETRY)); // the timer tries again if this is out of memory
        }
    }

    private void goOff(Shot shot) {
        if (!replace(shot, null)) {
            return;
        }
        try {
            task.run();
        } catch (Throwable e) {
            if (!isRefused && replace(null, RETRY)) {
                runAgain();
            }
            throw e;
        }
    }

    private void onFailed(Shot shot, Error e) {
        if (replace(shot, RETRY)) {
            runAgain();
        }
        TIMEOUT_FAILED.log(task, e);
    }
}
