package org.freshet.channel.socket.nio;

import org.freshet.channel.Channel;
import org.freshet.internal.telemetry.LoopCounters;
import org.freshet.internal.telemetry.WatchedLoop;

/** A loop as seen by {@link org.freshet.internal.telemetry.LoopWatch}. */
final class LoopSight implements WatchedLoop {
    private static final int MOST_TASKS_COUNTED = 1_000_000;

    private final NioLoop loop;

    LoopSight(NioLoop loop) {
        this.loop = loop;
    }

    @Override
    public String role() {
        return loop.role().title();
    }

    @Override
    public Thread thread() {
        return loop.thread().get();
    }

    @Override
    public boolean isWaiting() {
        return loop.selector().isWaiting();
    }

    @Override
    public LoopCounters counters() {
        return loop.counters();
    }

    @Override
    public int channelCount() {
        return loop.selector().keyCount();
    }

    @Override
    public int pendingTasks() {
        return loop.tasks().pending(MOST_TASKS_COUNTED);
    }

    @Override
    public Channel channel(int id) {
        Channel served = counters().taskChannel();
        return served != null && served.hashCode() == id
                ? served
                : loop.selector().find(id);
    }

    @Override
    public boolean submit(Runnable task) {
        return loop.submit(task);
    }
}
