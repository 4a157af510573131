package org.freshet.channel.socket.nio;

import java.util.concurrent.TimeUnit;

/** What a worker has to do, looked at when a connection is placed. Any thread. */
final class LoopLoad implements WorkerChooser.Candidate {
    /** Shares are taken over at least this time. */
    private static final long MIN_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final int MOST_COUNTED = 100;

    /**
     * @param share of the time before
     */
    private record Sample(long atNanos, long busyNanos, double share) {}

    private final NioWorker worker;

    /** Threads that renew it at the same time come to about the same. */
    private volatile Sample sample;

    LoopLoad(NioWorker worker, long nowNanos) {
        this.worker = worker;
        sample = new Sample(nowNanos, busyNanos(), 0);
    }

    NioWorker worker() {
        return worker;
    }

    private long busyNanos() {
        return worker.counters().turns().sumNanos();
    }

    @Override
    public boolean isStalled() {
        return worker.counters().isStalled();
    }

    /**
     * A connection that was handed over is a task until the worker takes it. Not all tasks of a worker that is far behind are counted, or
     * each connection of a burst would take longer to place than the one before.
     */
    @Override
    public long load() {
        return (long) worker.selector().keyCount() + worker.pendingTasks(MOST_COUNTED);
    }

    @Override
    public double busyShare(long nowNanos) {
        Sample last = sample;
        long passedNanos = nowNanos - last.atNanos;
        if (passedNanos < MIN_NANOS) {
            return last.share;
        }
        long busyNanos = busyNanos();
        Sample next = new Sample(nowNanos, busyNanos, (double) (busyNanos - last.busyNanos) / passedNanos);
        sample = next;
        return next.share;
    }
}
