package org.freshet.telemetry;

import java.util.Map;

/**
 * Statistics of an I/O loop since it started. Each call returns the current number, so two calls see different moments.
 * Any thread may call any method; the loop never waits for it.
 *
 * <p>To get the share of time a loop was busy between two moments, divide the growth of {@link #getBusyNanos()} by the
 * time elapsed. Near 1, the loop is the bottleneck.
 */
public interface LoopStats {
    /** The name of its thread; empty once the thread has ended. */
    String getName();

    /** {@code server-boss}, {@code client-boss}, {@code worker} or {@code datagram-worker}. */
    String getRole();

    /** Number of channels on the loop. */
    int getChannels();

    /** Iterations that had something to do. */
    long getIterations();

    /** How many times the selector reported a channel as ready to read, write, accept or connect. */
    long getReadyKeys();

    /** How often another thread woke the loop. */
    long getWakeUps();

    /** Tasks from other threads that were run. */
    long getTasksRun();

    /** Approximate number of tasks waiting now. */
    int getTasksPending();

    /** Nanoseconds spent working rather than waiting in the selector. */
    long getBusyNanos();

    /** The longest iteration, in nanoseconds. */
    long getLongestIterationNanos();

    /**
     * Iterations by duration: entry n counts those that took less than 2<sup>n</sup> ns and at least half of that. The
     * last entry has no upper limit.
     */
    long[] getIterationHistogram();

    /**
     * How long tasks waited, sampled about once a second while the loop works; in the same form as
     * {@link #getIterationHistogram()}.
     */
    long[] getQueueDelayHistogram();

    /** The sum of the sampled waits, in nanoseconds. */
    long getQueueDelayNanos();

    /** System calls that received something or found the end of the stream. */
    long getReads();

    long getBytesRead();

    /** System calls that sent something. */
    long getWrites();

    long getBytesWritten();

    /** TCP connections registered with the loop. */
    long getConnectionsOpened();

    /**
     * How many of them are closed, by {@link org.freshet.channel.CloseReason.Kind}. The sum never exceeds
     * {@link #getConnectionsOpened()}.
     */
    Map<String, Long> getConnectionsClosed();

    /** How often the loop was stalled; see {@link StallWatch}. */
    long getStalls();

    /** Whether the loop is stalled now. */
    boolean isStalled();
}
