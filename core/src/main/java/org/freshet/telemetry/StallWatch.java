package org.freshet.telemetry;

import java.time.Duration;
import org.freshet.internal.telemetry.LoopWatch;

/**
 * Finds the handler, listener or task that keeps an I/O loop from serving its other channels. One thread per JVM checks
 * every NIO loop twice within the limit; the loops themselves only keep counters for it.
 *
 * <p>By default a stall is logged as a warning with the thread, the channel, the handler, the line and the stack, and
 * once more when it is over; at most once a minute per class. A loop with a lot to do is not stalled, nor is a JVM
 * during garbage collection. The blocking transport is not watched.
 *
 * <p>Any thread may call it. The settings apply to all loops of the JVM.
 */
public final class StallWatch {
    private StallWatch() {}

    /**
     * Sets how long a handler may hold a loop. The default is one second, or the system property
     * {@code org.freshet.stallMillis} if set.
     *
     * @param limit at least 10 ms; zero turns the watch off
     * @throws IllegalArgumentException if the limit is negative
     */
    public static void setLimit(Duration limit) {
        if (limit.isNegative()) {
            throw new IllegalArgumentException("limit < 0: " + limit);
        }
        LoopWatch.instance().setLimitNanos(limit.toNanos());
    }

    public static Duration getLimit() {
        return Duration.ofNanos(LoopWatch.instance().limitNanos());
    }

    /**
     * Reports stalls to a listener instead of the log.
     *
     * @param listener null (the default) logs them
     */
    public static void setListener(StallListener listener) {
        LoopWatch.instance().setListener(listener == null ? null : report -> listener.stalled(new Stall(report)));
    }
}
