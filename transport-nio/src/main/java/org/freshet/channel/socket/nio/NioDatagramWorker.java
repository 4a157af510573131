package org.freshet.channel.socket.nio;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.util.Objects;
import org.freshet.channel.socket.Worker;
import org.freshet.channel.socket.nio.loop.Platform;
import org.freshet.channel.socket.nio.pool.LoopRole;
import org.freshet.channel.socket.nio.receive.DatagramReceiver;

/**
 * The loop that receives and sends datagrams.
 *
 * <p>{@link #executeInIoThread(Runnable)} and {@link #rebuildSelector()} may be called from any thread; everything else happens on the
 * loop.
 */
public final class NioDatagramWorker extends NioLoop implements Worker {
    private final DatagramReceiver receiver = new DatagramReceiver(counters());
    private final DatagramSender sender = new DatagramSender(counters());

    NioDatagramWorker(Platform platform) {
        super(platform);
    }

    /**
     * Runs a task on this worker's thread: at once when the caller is that thread, else soon.
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
     * @param alwaysAsync true to enqueue the task even when the caller is that thread: it then runs after the caller has returned
     * @throws java.util.concurrent.RejectedExecutionException if the worker has been shut down
     */
    public void executeInIoThread(Runnable task, boolean alwaysAsync) {
        tasks().executeOrReject(Objects.requireNonNull(task, "task"), alwaysAsync);
    }

    DatagramReceiver receiver() {
        assert inLoop();
        return receiver;
    }

    DatagramSender sender() {
        assert inLoop();
        return sender;
    }

    @Override
    LoopRole role() {
        return LoopRole.DATAGRAM_WORKER;
    }

    @Override
    void onReady(SelectionKey key) throws IOException {
        NioDatagramChannel channel = (NioDatagramChannel) key.attachment();
        int ready = key.readyOps();
        if ((ready & SelectionKey.OP_READ) != 0) {
            channel.onReadable();
        }
        if ((ready & SelectionKey.OP_WRITE) != 0) {
            channel.flusher().onWritable();
        }
    }
}
