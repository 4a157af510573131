package org.freshet.channel.socket.nio;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.util.Objects;
import org.freshet.channel.socket.Worker;
import org.freshet.channel.socket.nio.loop.Platform;

/** A loop that reads and writes channels, and runs users' tasks. */
abstract class WorkerLoop extends NioLoop implements Worker {
    WorkerLoop(Platform platform) {
        super(platform);
    }

    /**
     * Runs a task on this worker's thread: immediately if the caller is that thread, otherwise soon.
     *
     * @throws java.util.concurrent.RejectedExecutionException if the worker has been shut down
     */
    @Override
    public void executeInIoThread(Runnable task) {
        executeInIoThread(task, false);
    }

    /**
     * Runs a task on this worker's thread.
     *
     * @param alwaysAsync true to enqueue the task even if the caller is that thread; it then runs after the caller has
     *     returned
     * @throws java.util.concurrent.RejectedExecutionException if the worker has been shut down
     */
    public void executeInIoThread(Runnable task, boolean alwaysAsync) {
        tasks().executeOrReject(Objects.requireNonNull(task, "task"), alwaysAsync);
    }

    @Override
    final void onReady(SelectionKey key) throws IOException {
        NioChannel channel = (NioChannel) key.attachment();
        int ready = key.readyOps();
        if ((ready & SelectionKey.OP_READ) != 0) {
            channel.onReadable();
        }
        if ((ready & SelectionKey.OP_WRITE) != 0) {
            channel.flusher().onWritable();
        }
    }
}
