package org.freshet.internal.handler;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.freshet.internal.time.SafetyTimer;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;
import org.freshet.util.Timeout;
import org.freshet.util.Timer;

/**
 * Runs an action after a time unless it is cancelled before; for handshakes. Without a timer from the user it uses the
 * {@link SafetyTimer}, so that there is none to start and stop. Any thread may start and cancel it, in either order.
 */
public final class Deadline {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(Deadline.class);

    /** In place of a cancellation, after it was run. */
    private static final Runnable CANCELLED = () -> {};

    private final Timer timer;
    private final long millis;
    private final Runnable expired;

    /** Null until it has been started; set once by {@link #start} and once by {@link #cancel}. */
    private final AtomicReference<Runnable> cancellation = new AtomicReference<>();

    /**
     * @param timer null for Freshet's own
     * @param expired runs on the timer's thread: must be short
     */
    public Deadline(Timer timer, long millis, Runnable expired) {
        this.timer = timer;
        this.millis = millis;
        this.expired = expired;
    }

    /** Throws what the user's timer throws. Called once. */
    public void start() {
        if (cancellation.get() != null) {
            return;
        }
        Runnable started = timer != null ? startTimer() : startDelay();
        if (!cancellation.compareAndSet(null, started)) {
            cancel(started);
        }
    }

    private Runnable startTimer() {
        Timeout timeout = timer.newTimeout(t -> expired.run(), millis, TimeUnit.MILLISECONDS);
        return timeout::cancel;
    }

    private Runnable startDelay() {
        return SafetyTimer.startBlocking(millis, TimeUnit.MILLISECONDS, expired)::cancel;
    }

    /** Does nothing if it was cancelled before. What the user's timer throws is logged. */
    public void cancel() {
        Runnable started = cancellation.getAndSet(CANCELLED);
        if (started != null) {
            cancel(started);
        }
    }

    private static void cancel(Runnable started) {
        try {
            started.run();
        } catch (Throwable e) {
            logger.warn("The timer does not cancel a timeout.", e);
        }
    }
}
