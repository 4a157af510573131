package org.freshet.channel.socket.nio;

import java.util.concurrent.Executor;
import org.freshet.util.ExternalResourceReleasable;
import org.freshet.util.ThreadNameDeterminer;

/** The loops that read and write TCP connections. Each keeps a thread of the executor until {@link #shutdown()}. Any thread. */
public class NioWorkerPool implements WorkerPool<NioWorker>, ExternalResourceReleasable {
    private final LoopPool<NioWorker> loops;

    /**
     * @throws IllegalArgumentException if the count is not positive
     * @throws IllegalStateException if the executor does not give every loop a thread
     */
    public NioWorkerPool(Executor executor, int workerCount) {
        this(executor, workerCount, null);
    }

    /**
     * @param determiner decides the names of the threads; null leaves it to {@link org.freshet.util.ThreadRenamingRunnable}
     * @throws IllegalArgumentException if the count is not positive
     * @throws IllegalStateException if the executor does not give every loop a thread
     */
    public NioWorkerPool(Executor executor, int workerCount, ThreadNameDeterminer determiner) {
        loops = new LoopPool<>(executor, workerCount, "worker", determiner, this::newWorker);
    }

    /** Makes one of the loops; called by the constructor. The pool starts it. */
    protected NioWorker newWorker(Executor executor) {
        return new NioWorker(Platform.DEFAULT);
    }

    @Override
    public NioWorker nextWorker() {
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
