package org.freshet.channel.socket.nio;

import java.util.concurrent.Executor;
import org.freshet.channel.socket.nio.loop.Platform;
import org.freshet.channel.socket.nio.pool.LoopRole;
import org.freshet.channel.socket.nio.pool.LoopStart;
import org.freshet.util.ThreadNameDeterminer;

/**
 * The loops that read and write TCP connections. Each occupies a thread of the executor until {@link #shutdown()}. Any
 * thread may call it.
 */
public class NioWorkerPool extends LoopPool<NioWorker> implements WorkerPool<NioWorker> {
    /**
     * @throws IllegalArgumentException if the count is not positive
     * @throws IllegalStateException if the executor does not give every loop a thread
     */
    public NioWorkerPool(Executor executor, int workerCount) {
        this(executor, workerCount, null);
    }

    /**
     * @param determiner chooses the names of the threads; null uses the default of
     *     {@link org.freshet.util.ThreadRenamingRunnable}
     * @throws IllegalArgumentException if the count is not positive
     * @throws IllegalStateException if the executor does not give every loop a thread
     */
    public NioWorkerPool(Executor executor, int workerCount, ThreadNameDeterminer determiner) {
        super(executor, workerCount, LoopRole.WORKER, determiner, LoopStart.TIMEOUT_MILLIS);
    }

    @Override
    final NioWorker newLoop(Executor executor) {
        return newWorker(executor);
    }

    /** Creates one of the loops. Called by the constructor; the pool starts it. */
    protected NioWorker newWorker(Executor executor) {
        return new NioWorker(Platform.DEFAULT);
    }

    @Override
    public NioWorker nextWorker() {
        return next();
    }
}
