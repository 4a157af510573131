package org.freshet.internal.time;

import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.freshet.internal.LastWords;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;
import org.freshet.util.Timeout;
import org.freshet.util.Timer;
import org.freshet.util.TimerTask;

/**
 * Runs its task when a time has come, and again whenever it is set again. It is set for one time at most.
 *
 * <pre>
 *   set ----&gt; the timer --time is over--&gt; the executor ----&gt; off, and the task runs
 *                |                              |                      |
 *                +------------ an Error --------+------ a failure -----+----&gt; the executor again, after a second
 * </pre>
 *
 * <p>So the task goes on whatever fails once: if the timer, the executor or the task finds no memory, or the task throws anything before it has
 * set the alarm again, the task runs again after a second. A task looks at its state each time, because it may run early, late or again.
 *
 * <p>A timer that refuses with an exception, as it does after it was stopped, is the caller's matter: the alarm is off.
 *
 * <p>Any thread may call; no lock may be held, because the timer is the user's code.
 */
public final class Alarm extends Retryable {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(Alarm.class);
    private static final LastWords TIMER_THREW =
            LastWords.warning(logger, "a timer threw when a task was cancelled; the task has no effect");
    private static final LastWords TIMEOUT_FAILED =
            LastWords.warning(logger, "a time-out failed; it is tried again after a second");

    /** In place of a time-out: the {@link SafetyTimer} is to try again. */
    private static final Shot RETRY = new Shot(null, 0);

    /** Not a VarHandle, whose first use takes memory: {@link #retry} may be called when there's none. */
    private static final AtomicReferenceFieldUpdater<Alarm, Shot> CURRENT =
            AtomicReferenceFieldUpdater.newUpdater(Alarm.class, Shot.class, "current");

    private final Timer timer;
    private final Executor executor;
    private final Runnable task;

    /** Null while it is off. */
    private volatile Shot current;

    /** The timer has refused since it was set last. */
    private volatile boolean isRefused;

    /**
     * @param timer null for the {@link SafetyTimer}
     * @param executor has the task run where it belongs, called on the timer's thread or another one that may block
     */
    public Alarm(Timer timer, Executor executor, Runnable task) {
        this.timer = timer;
        this.executor = executor;
        this.task = task;
    }

    /** One time for which the alarm is set. */
    private static final class Shot implements TimerTask, Runnable {
        final Alarm alarm;

        /** By the caller's clock. */
        final long dueNanos;

        /** A {@link Timeout}, or the {@link SafetyTimer}'s; null before the timer has it. */
        private volatile Object handle;

        Shot(Alarm alarm, long dueNanos) {
            this.alarm = alarm;
            this.dueNanos = dueNanos;
        }

        void start(long delayNanos) {
            handle = alarm.timer == null
                    ? SafetyTimer.startBlocking(delayNanos, TimeUnit.NANOSECONDS, this::expire)
                    : alarm.timer.newTimeout(this, delayNanos, TimeUnit.NANOSECONDS);
            if (alarm.current != this) {
                cancel();
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
                TIMER_THREW.say(null, e);
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

    /** Whether it is going to go off. */
    public boolean isSet() {
        return current != null;
    }

    /**
     * Sets it, in place of the time for which it was set before; for a task that finds out by itself whether it runs early.
     *
     * @throws RuntimeException what the timer throws, or an Error that is not the machine's; the alarm is off then
     */
    public void set(long delayNanos) {
        try {
            start(delayNanos);
        } catch (VirtualMachineError e) { // most often without memory
            retry();
        }
    }

    /**
     * Sets it, in place of the time for which it was set before; for a task that must not run early.
     *
     * @throws RuntimeException what the timer throws, or an Error; the alarm is off then
     */
    public void start(long delayNanos) {
        Shot shot = new Shot(this, 0);
        cancel(swap(shot));
        start(shot, delayNanos);
    }

    /**
     * Sets it unless it goes off earlier anyway. All times must be by the same clock, and none by {@link #set}.
     *
     * @throws RuntimeException what the timer throws, or an Error that is not the machine's; the alarm is off then
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
        } catch (VirtualMachineError e) { // most often without memory
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
        } catch (RuntimeException | Error e) {
            isRefused = !(e instanceof VirtualMachineError);
            replace(shot, null);
            throw e;
        }
    }

    /** Has it go off after a second, in place of the time for which it was set before. Takes no memory. */
    public void retry() {
        cancel(swap(RETRY));
        runAgain();
    }

    @Override
    void runAgain() {
        SafetyTimer.runAgain(this);
    }

    /** Turns it off, until it is set again. */
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

    /** For the {@link SafetyTimer}. */
    @Override
    void work() {
        if (current == RETRY) {
            executor.execute(() -> goOff(RETRY)); // the timer tries again if this finds no memory
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
        TIMEOUT_FAILED.say(task, e);
    }
}
