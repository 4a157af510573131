package org.freshet.channel.socket.nio.loop;

import java.util.Map;
import java.util.TreeMap;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.internal.telemetry.LoopCounters;
import org.freshet.internal.telemetry.LoopWatch;
import org.freshet.internal.telemetry.WatchedLoop;
import org.freshet.telemetry.LoopStats;

/** Presents a loop's counters to users. */
public final class LoopView implements LoopStats {
    private final WatchedLoop loop;
    private final LoopCounters counters;

    public LoopView(WatchedLoop loop) {
        this.loop = loop;
        counters = loop.counters();
    }

    @Override
    public String getName() {
        Thread thread = loop.thread();
        return thread == null ? "" : thread.getName();
    }

    @Override
    public String getRole() {
        return loop.role();
    }

    @Override
    public int getChannels() {
        return loop.channelCount();
    }

    @Override
    public long getIterations() {
        long sum = 0;
        for (long count : getIterationHistogram()) {
            sum += count;
        }
        return sum;
    }

    @Override
    public long getReadyKeys() {
        return counters.readyKeys();
    }

    @Override
    public long getWakeUps() {
        return counters.wakeUps();
    }

    @Override
    public long getTasksRun() {
        return counters.tasks();
    }

    @Override
    public int getTasksPending() {
        return loop.pendingTasks();
    }

    @Override
    public long getBusyNanos() {
        return counters.iterations().sumNanos();
    }

    @Override
    public long getLongestIterationNanos() {
        return counters.iterations().maxNanos();
    }

    @Override
    public long[] getIterationHistogram() {
        return counters.iterations().counts();
    }

    @Override
    public long[] getQueueDelayHistogram() {
        return counters.queueDelays().counts();
    }

    @Override
    public long getQueueDelayNanos() {
        return counters.queueDelays().sumNanos();
    }

    @Override
    public long getReads() {
        return counters.reads();
    }

    @Override
    public long getBytesRead() {
        return counters.bytesRead();
    }

    @Override
    public long getWrites() {
        return counters.writes();
    }

    @Override
    public long getBytesWritten() {
        return counters.bytesWritten();
    }

    @Override
    public long getConnectionsOpened() {
        return counters.opened();
    }

    @Override
    public Map<String, Long> getConnectionsClosed() {
        Map<String, Long> closed = new TreeMap<>();
        for (Kind kind : Kind.values()) {
            closed.put(kind.name(), counters.closed(kind));
        }
        return closed;
    }

    @Override
    public long getStalls() {
        return LoopWatch.instance().stalls(loop);
    }

    @Override
    public boolean isStalled() {
        return counters.isStalled();
    }

    @Override
    public String toString() {
        return getRole() + " " + getName() + ": " + getChannels() + " channels, " + getIterations() + " iterations";
    }
}
