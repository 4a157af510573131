package org.freshet.telemetry;

import java.time.Duration;
import org.freshet.internal.telemetry.LoopWatch;

/**
 * Finds the handler, listener or task that keeps an I/O loop from its other channels. One thread a JVM looks at every NIO loop, twice
 * within the limit; the loops themselves do nothing for it but count.
 *
 * <p>By default a stall is logged as a warning that names the thread, the channel, the handler and the line, with the stack, and once more
 * when it is over; each class at most once a minute. A loop that has much to do is not stalled, nor is a JVM that collects garbage. The blocking
 * transport is not watched.
 *
 * <p>Any thread may call; what is set holds for all loops of the JVM.
 */
public final class StallWatch {
    private StallWatch() {}

    /**
     * Sets for how long a handler may hold a loop. One second at first, or what the system property {@code org.freshet.stallMillis} says.
     *
     * @param limit at least 10 ms; zero ends the watch for stalls
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
     * Has stalls reported to a listener instead of the log.
     *
     * @param listener null for the log
     */
    public static void setListener(StallListener listener) {
        LoopWatch.instance().setListener(listener == null ? null : report -> listener.stalled(new Stall(report)));
    }
}
