package org.freshet.handler.traffic;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;
import org.freshet.util.Timeout;
import org.freshet.util.Timer;
import org.freshet.util.TimerTask;

/**
 * One task for the user's timer. It is decided on under a lock and started or cancelled after it, because the timer is the user's code; so
 * any thread may start and cancel it, in either order, and the owner compares the task that runs with the one that it wants.
 */
final class WakeUp implements TimerTask {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(WakeUp.class);

    /** When the owner wants it to run, by the owner's clock. */
    final long dueNanos;

    private final Consumer<WakeUp> action;

    /** Null until it is started. */
    private volatile Timeout timeout;

    private volatile boolean cancelled;

    WakeUp(long dueNanos, Consumer<WakeUp> action) {
        this.dueNanos = dueNanos;
        this.action = action;
    }

    /** Not under a lock. Throws what the timer throws. */
    void start(Timer timer, long delay, TimeUnit unit) {
        timeout = timer.newTimeout(this, delay, unit);
        if (cancelled) {
            cancel();
        }
    }

    /** Not under a lock. What the timer throws is logged: the owner ignores a task that it does not want any longer. */
    void cancel() {
        cancelled = true;
        Timeout started = timeout;
        if (started == null) {
            return;
        }
        try {
            started.cancel();
        } catch (RuntimeException | Error e) {
            logger.warn("a timer threw when a task was cancelled; the task has no effect", e);
        }
    }

    @Override
    public void run(Timeout due) {
        if (!cancelled) {
            action.accept(this);
        }
    }
}
