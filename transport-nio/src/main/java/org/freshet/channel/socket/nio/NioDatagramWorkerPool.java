package org.freshet.channel.socket.nio;

import java.util.concurrent.Executor;
import org.freshet.util.ExternalResourceReleasable;

/** The loops that receive and send datagrams. Each keeps a thread of the executor until {@link #shutdown()}. Any thread. */
public class NioDatagramWorkerPool implements WorkerPool<NioDatagramWorker>, ExternalResourceReleasable {
    private final LoopPool<NioDatagramWorker> loops;

    /**
     * @throws IllegalArgumentException if the count is not positive
     * @throws IllegalStateException if the executor does not give every loop a thread
     */
    public NioDatagramWorkerPool(Executor executor, int workerCount) {
        loops = new LoopPool<>(executor, workerCount, "datagram worker", null, this::newWorker);
    }

    /** Makes one of the loops; called by the constructor. The pool starts it. */
    protected NioDatagramWorker newWorker(Executor executor) {
        return new NioDatagramWorker(Platform.DEFAULT);
    }

    @Override
    public NioDatagramWorker nextWorker() {
        return loops.next();
    }

    @Override
    public void rebuildSelectors() {
        loops.rebuildSelectors();
    }

    @Override
    public void shutdown() {
        loops.shutdown();
    }

    /** Shuts the loops down, and then the executor if it is an {@link java.util.concurrent.ExecutorService}. */
    @Override
    public void releaseExternalResources() {
        loops.releaseExternalResources();
    }
}
