package org.freshet.channel.socket.nio;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import org.freshet.channel.socket.Worker;

/**
 * The loop that receives and sends datagrams.
 *
 * <p>{@link #executeInIoThread} may be called from anywhere; everything else happens on the loop.
 */
public final class NioDatagramWorker extends NioLoop implements Worker {
    private final DatagramReceiver receiver = new DatagramReceiver();
    private final DatagramSender sender = new DatagramSender();

    NioDatagramWorker(Platform platform) {
        super(platform);
    }

    /**
     * Runs a task on this worker's thread: now when the caller is that thread, else soon.
     *
     * @throws java.util.concurrent.RejectedExecutionException if the worker has been shut down
     */
    @Override
    public void executeInIoThread(Runnable task) {
        executeOrReject(task);
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
    void onReady(SelectionKey key) throws IOException {
        NioDatagramChannel channel = (NioDatagramChannel) key.attachment();
        int ready = key.readyOps();
        if ((ready & SelectionKey.OP_READ) != 0) {
            channel.onReadable();
        }
        if ((ready & SelectionKey.OP_WRITE) != 0) {
            channel.onWritable();
        }
    }

    @Override
    void onKeyFailed(SelectionKey key, Throwable cause) {
        ((NioDatagramChannel) key.attachment()).onFailed(cause);
    }
}
