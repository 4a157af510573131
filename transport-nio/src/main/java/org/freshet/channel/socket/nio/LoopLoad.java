package org.freshet.channel.socket.nio;

import org.freshet.channel.socket.nio.pool.WorkerChooser;

/** What a worker has to do, looked at when a connection is placed. Any thread. */
record LoopLoad(NioWorker worker) implements WorkerChooser.Candidate {
    private static final int MOST_COUNTED = 100;

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
        return (long) worker.selector().keyCount() + worker.tasks().pending(MOST_COUNTED);
    }
}
