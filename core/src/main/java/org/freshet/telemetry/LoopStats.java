package org.freshet.telemetry;

import java.util.Map;

/**
 * What an I/O loop has done since it began. The numbers are those of the moment of each call, and not all of one moment. Any thread may
 * call; the loop does not wait for it.
 *
 * <p>The share of its time that a loop worked between two moments is the growth of {@link #getBusyNanos()} divided by the time that has
 * passed; near 1, the loop is the bottleneck.
 */
public interface LoopStats {
    /** The name of its thread; empty when it has ended. */
    String getName();

    /** {@code server-boss}, {@code client-boss}, {@code worker} or {@code datagram-worker}. */
    String getRole();

    /** How many channels it has. */
    int getChannels();

    /** Iterations with something to do. */
    long getTurns();

    /** Reports of the selector that a channel could be read, written, accepted from or was connected. */
    long getReadyKeys();

    /** How often another thread ended the loop's wait. */
    long getWakeUps();

    /** Tasks of other threads that were run. */
    long getTasksRun();

    /** About how many tasks wait now. */
    int getTasksPending();

    /** Nanoseconds at work, rather than waiting in the selector. */
    long getBusyNanos();

    /** The longest iteration, in nanoseconds. */
    long getLongestTurnNanos();

    /** Iterations by duration: number n took less than 2<sup>n</sup> ns and not less than half of that; the last has no upper limit. */
    long[] getTurnHistogram();

    /** How long tasks waited, sampled about once a second while the loop works; as {@link #getTurnHistogram()}. */
    long[] getQueueDelayHistogram();

    /** The sum of these waits. */
    long getQueueDelayNanos();

    /** System calls that received something or found the end. */
    long getReads();

    long getBytesRead();

    /** System calls that sent. */
    long getWrites();

    long getBytesWritten();

    /** TCP connections that the loop has taken on. */
    long getConnectionsOpened();

    /** Those of them that are closed, by {@link org.freshet.channel.CloseReason.Kind}; the sum is never above {@link #getConnectionsOpened()}. */
    Map<String, Long> getConnectionsClosed();

    /** How often it was stalled; see {@link StallWatch}. */
    long getStalls();

    /** Whether it is stalled now. */
    boolean isStalled();
}
