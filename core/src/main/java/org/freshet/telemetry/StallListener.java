package org.freshet.telemetry;

/** Is told of loops that do not come on. See {@link StallWatch#setListener}. */
@FunctionalInterface
public interface StallListener {
    /**
     * Called when a loop has exceeded the limit, again whenever the time has doubled, and once when it goes on. On the thread of the watch,
     * which looks at no loop meanwhile. What this throws is logged.
     */
    void stalled(Stall stall);
}
