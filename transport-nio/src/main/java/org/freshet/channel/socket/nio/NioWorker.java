package org.freshet.channel.socket.nio;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import org.freshet.channel.socket.Worker;
import org.freshet.channel.socket.nio.loop.Platform;
import org.freshet.channel.socket.nio.pool.LoopRole;
import org.freshet.channel.socket.nio.receive.StreamReceiver;
import org.freshet.channel.socket.nio.send.StreamSender;

/**
 * The loop that reads and writes TCP connections.
 *
 * <p>{@link #executeInIoThread(Runnable)} and {@link #rebuildSelector()} may be called from any thread; everything else happens on the
 * loop.
 */
public final class NioWorker extends NioLoop implements Worker {
    private final StreamReceiver receiver = new StreamReceiver(counters());
    private final StreamSender sender = new StreamSender(counters());

    /** Loop only. The connects under way: few at any time, so the many connections need no field for them. */
    private final Map<NioSocketChannel, ConnectAttempt> connecting = new IdentityHashMap<>();

    /** Loop only. What is lent while a read is handled; null at other times. */
    private ReadLoan loan;

    NioWorker(Platform platform) {
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

    StreamReceiver receiver() {
        assert inLoop();
        return receiver;
    }

    StreamSender sender() {
        assert inLoop();
        return sender;
    }

    /** A loan begins, or ends: then null. */
    void onLoan(ReadLoan next) {
        assert inLoop();
        assert loan == null || next == null : "a read within a read";
        loan = next;
    }

    void onConnecting(NioSocketChannel channel, ConnectAttempt attempt) {
        assert inLoop();
        connecting.put(channel, attempt);
    }

    void onConnectEnded(NioSocketChannel channel) {
        assert inLoop();
        connecting.remove(channel);
    }

    /** Gives a connect up; the channel is notified of its end later. */
    void abandonConnect(NioSocketChannel channel) {
        assert inLoop();
        connecting.get(channel).abandon();
    }

    @Override
    LoopRole role() {
        return LoopRole.WORKER;
    }

    @Override
    void onReady(SelectionKey key) throws IOException {
        NioSocketChannel channel = (NioSocketChannel) key.attachment();
        int ready = key.readyOps();
        if ((ready & SelectionKey.OP_READ) != 0) {
            channel.onReadable();
        }
        if ((ready & SelectionKey.OP_WRITE) != 0) {
            channel.flusher().onWritable();
        }
    }
}
