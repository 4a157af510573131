package org.freshet.bootstrap;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.freshet.telemetry.LoopStats;
import org.freshet.telemetry.LoopsMXBean;

/** Totals over the loops of a factory. Any thread may call any method. */
final class LoopsManagement implements LoopsMXBean {
    private static final long SAMPLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final List<LoopStats> loops;

    /** The busy times at {@link #sampledNanos}. Guarded by this. */
    private final long[] busyNanos;

    private long sampledNanos = System.nanoTime();
    private double busyShare;

    LoopsManagement(List<LoopStats> loops) {
        this.loops = loops;
        busyNanos = new long[loops.size()];
        for (int i = 0; i < busyNanos.length; i++) {
            busyNanos[i] = loops.get(i).getBusyNanos();
        }
    }

    private long sum(ToLongFunction<LoopStats> value) {
        return loops.stream().mapToLong(value).sum();
    }

    @Override
    public int getLoopCount() {
        return loops.size();
    }

    @Override
    public synchronized double getBusyShare() {
        long now = System.nanoTime();
        long passed = now - sampledNanos;
        if (passed >= SAMPLE_NANOS) {
            sampledNanos = now;
            busyShare = 0;
            for (int i = 0; i < busyNanos.length; i++) {
                long busy = loops.get(i).getBusyNanos();
                busyShare = Math.max(busyShare, Math.min(1, (busy - busyNanos[i]) / (double) passed));
                busyNanos[i] = busy;
            }
        }
        return busyShare;
    }

    @Override
    public long getChannels() {
        return sum(LoopStats::getChannels);
    }

    @Override
    public long getTasksPending() {
        return sum(LoopStats::getTasksPending);
    }

    @Override
    public long getStalls() {
        return sum(LoopStats::getStalls);
    }

    @Override
    public long getBytesRead() {
        return sum(LoopStats::getBytesRead);
    }

    @Override
    public long getBytesWritten() {
        return sum(LoopStats::getBytesWritten);
    }

    @Override
    public LoopStats[] getLoops() {
        return loops.toArray(LoopStats[]::new);
    }
}
