package org.freshet.telemetry;

/**
 * Statistics of a queue, such as an executor's. {@link Telemetry#addQueue} makes it a metric.
 *
 * <p>Any thread may call any method. The methods neither block nor throw.
 */
public interface QueueStats {
    /** Number of entries waiting, not counting those in progress. */
    int getWaiting();

    /** How long the oldest entry has been waiting, in nanoseconds; 0 if none is waiting. */
    long getOldestWaitNanos();
}
