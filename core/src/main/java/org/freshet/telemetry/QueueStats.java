package org.freshet.telemetry;

/**
 * What waits in a queue, such as that of an executor. {@link Telemetry#addQueue} makes it a metric.
 *
 * <p>Any thread may call any method; none of them waits, or throws.
 */
public interface QueueStats {
    /** How many wait. Those that are being worked at do not count. */
    int getWaiting();

    /** How long the one has waited that has waited longest, in nanoseconds; 0 if none waits. */
    long getOldestWaitNanos();
}
