package org.freshet.internal.telemetry;

import org.freshet.channel.Channel;

/** A loop as seen by other threads, even while it is stuck. Any thread may call any method; none of them waits for the loop. */
public interface WatchedLoop {
    /** The loop's role: {@code server-boss}, {@code client-boss}, {@code worker} or {@code datagram-worker}. */
    String role();

    /** Null before the loop has started and after it has ended. */
    Thread thread();

    /** Whether the loop is waiting in its selector. */
    boolean isWaiting();

    LoopCounters counters();

    /** Returns the number of channels with a key. */
    int channelCount();

    /** Returns approximately how many tasks wait; the loop may be taking some. */
    int pendingTasks();

    /** Returns null if the loop has no such channel. */
    Channel channel(int id);

    /** Queues a task; returns false if the loop has ended. */
    boolean submit(Runnable task);
}
