package org.freshet.internal.telemetry;

import org.freshet.channel.Channel;

/** A loop as other threads see it, while it works or is stuck. Any thread may call any method; none of them waits for the loop. */
public interface WatchedLoop {
    /** What it does: {@code server-boss}, {@code client-boss}, {@code worker} or {@code datagram-worker}. */
    String role();

    /** Null before the loop has begun and after it has ended. */
    Thread thread();

    /** Whether the loop waits in its selector. */
    boolean isWaiting();

    LoopCounters counters();

    /** Channels with a key. */
    int channelCount();

    /** About how many tasks wait; the loop may be taking some. */
    int pendingTasks();

    /** Null if the loop has no such channel. */
    Channel channel(int id);

    /** Leaves a task; false if the loop has ended. */
    boolean submit(Runnable task);
}
