package org.freshet.internal.handler;

import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.freshet.internal.LastWords;
import org.freshet.internal.time.Alarm;
import org.freshet.internal.time.SafetyTimer;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;
import org.freshet.util.Timer;

/**
 * Runs an action once after a time unless it is cancelled before; for handshakes. If there is no memory for it then, it runs a second
 * later. Without a timer from the user it uses the {@link SafetyTimer}, so that there is none to start and stop. Any thread may start and
 * cancel it, in either order.
 */
public final class Deadline {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(Deadline.class);
    private static final LastWords DEADLINE_FAILED = LastWords.warning(logger, "a deadline failed");

    private final Alarm alarm;
    private final long millis;
    private volatile boolean isCancelled;

    /**
     * @param timer null for Freshet's own
     * @param expired runs on the timer's thread: must be short
     */
    public Deadline(Timer timer, long millis, Runnable expired) {
        this(timer, millis, Runnable::run, () -> run(expired));
    }

    /**
     * @param timer null for Freshet's own
     * @param executor has {@code expired} run where it belongs
     * @param expired runs again if it throws
     */
    public Deadline(Timer timer, long millis, Executor executor, Runnable expired) {
        alarm = new Alarm(timer, executor, expired);
        this.millis = millis;
    }

    /** What hands over to a thread that takes no tasks any more, for example, need not try again. */
    private static void run(Runnable expired) {
        try {
            expired.run();
        } catch (RuntimeException e) {
            DEADLINE_FAILED.say(expired, e);
        }
    }

    /** Throws what the user's timer throws. Called once. */
    public void start() {
        if (!isCancelled) {
            alarm.start(TimeUnit.MILLISECONDS.toNanos(millis));
        }
        if (isCancelled) {
            alarm.cancel();
        }
    }

    /** Does nothing if it was cancelled before. What the user's timer throws is logged. */
    public void cancel() {
        isCancelled = true;
        alarm.cancel();
    }
}
