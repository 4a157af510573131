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
 * Runs an action once after a time unless cancelled earlier; used for handshakes. If there is no memory to run it, it runs a second later.
 * Without a timer from the user it uses the {@link SafetyTimer}, which needs no start or stop. Any thread may start and cancel it, in
 * either order.
 */
public final class Deadline {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(Deadline.class);
    private static final FailsafeLogMessage DEADLINE_FAILED = FailsafeLogMessage.warning(logger, "a deadline failed");
    private static final FailsafeLogMessage TIMER_REFUSED =
            FailsafeLogMessage.warning(logger, "a timer refused a deadline, which now comes after a second");

    private final Alarm alarm;
    private final long millis;
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
        alarm = new Alarm(timer, executor, expired);
        this.millis = millis;
    }

    /** An exception is only logged: a hand-over to a thread that no longer takes tasks, for example, need not be retried. */
    private static void run(Runnable expired) {
        try {
            expired.run();
        } catch (RuntimeException e) {
            DEADLINE_FAILED.log(expired, e);
        }
    }

    /** Starts the time. Throws the exceptions of the user's timer. Call it once. */
    public void start() {
        if (!isCancelled) {
            alarm.start(TimeUnit.MILLISECONDS.toNanos(millis));
        }
        if (isCancelled) {
            alarm.cancel();
        }
    }

    /**
     * Starts the time. If the user's timer refuses, the action runs after a second: for a deadline that alone ends something. Never throws.
     * Call it once.
     */
    public void startAnyway() {
        try {
            start();
        } catch (RuntimeException | Error refused) { // or there is no memory
            alarm.retry();
            TIMER_REFUSED.log(null, refused);
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
