package org.freshet.internal.handler;

import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.freshet.internal.FailsafeLogMessage;
import org.freshet.internal.time.Alarm;
import org.freshet.internal.time.SafetyTimer;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;
import org.freshet.util.Timer;

/**
 * Runs an action once after a time unless cancelled earlier: a limit that holds although the user's timer refuses it, as a stopped or full
 * one does, or is stopped before the time is over. The {@link SafetyTimer} keeps the time then, as it does without a timer of the user; it
 * needs no start or stop.
 *
 * <p>Any thread may start and cancel it, in either order, without holding a lock, because the timer is user code.
 */
public final class Deadline {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(Deadline.class);
    private static final FailsafeLogMessage DEADLINE_FAILED = FailsafeLogMessage.warning(logger, "a deadline failed");
    private static final FailsafeLogMessage NO_MEMORY =
            FailsafeLogMessage.warning(logger, "there was no memory for a deadline, which now comes after a second");

    private final long millis;
    private final Alarm alarm;

    private volatile boolean isCancelled;

    /**
     * @param timer null for Freshet's own
     * @param expired runs on the timer's thread, so it must be short
     */
    public Deadline(Timer timer, long millis, Runnable expired) {
        this(timer, millis, Runnable::run, () -> run(expired));
    }

    /**
     * @param timer null for Freshet's own
     * @param executor runs {@code expired} on the right thread
     * @param expired runs again if it throws
     */
    public Deadline(Timer timer, long millis, Executor executor, Runnable expired) {
        this.millis = millis;
        alarm = Alarm.ofLimit(timer, executor, expired);
    }

    /** An exception is only logged: a hand-over to a thread that no longer takes tasks, for example, need not be retried. */
    private static void run(Runnable expired) {
        try {
            expired.run();
        } catch (RuntimeException e) {
            DEADLINE_FAILED.log(expired, e);
        }
    }

    /** Starts the time. Throws an Error if there is no memory. Call it until it returns. */
    public void start() {
        if (!isCancelled) {
            alarm.start(TimeUnit.MILLISECONDS.toNanos(millis));
        }
        if (isCancelled) {
            alarm.cancel();
        }
    }

    /** Starts the time. If there is no memory, the action runs after a second: for a deadline that alone ends something. Never throws. */
    public void startAnyway() {
        try {
            start();
        } catch (Throwable noMemory) {
            alarm.retry();
            NO_MEMORY.log(null, noMemory);
            if (isCancelled) {
                alarm.cancel();
            }
        }
    }

    /** Has no effect if it was already cancelled. Exceptions of the user's timer are logged. */
    public void cancel() {
        isCancelled = true;
        alarm.cancel();
    }
}
