package org.freshet.telemetry;

/** Is notified of loops that make no progress. See {@link StallWatch#setListener}. */
@FunctionalInterface
public interface StallListener {
    /**
     * Called when a loop exceeds the limit, again each time the duration has doubled, and once when the loop continues.
     * It runs on the watch's thread, and no loop is checked until it returns. An exception from it is logged.
     */
    void stalled(Stall stall);
}
