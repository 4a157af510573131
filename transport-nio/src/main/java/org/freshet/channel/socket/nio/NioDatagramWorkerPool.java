package org.freshet.channel.socket.nio;

import java.util.concurrent.Executor;
import org.freshet.channel.socket.nio.loop.Platform;
import org.freshet.channel.socket.nio.pool.LoopRole;
import org.freshet.channel.socket.nio.pool.LoopStart;

/**
 * The loops that receive and send datagrams. Each occupies a thread of the executor until {@link #shutdown()}. Any
 * thread may call it.
 */
public class NioDatagramWorkerPool extends LoopPool<NioDatagramWorker> implements WorkerPool<NioDatagramWorker> {
    /**
     * @throws IllegalArgumentException if the count is not positive
     * @throws IllegalStateException if the executor does not give every loop a thread
     */
    public NioDatagramWorkerPool(Executor executor, int workerCount) {
        super(executor, workerCount, LoopRole.DATAGRAM_WORKER, null, LoopStart.TIMEOUT_MILLIS);
    }

    @Override
    final NioDatagramWorker newLoop(Executor executor) {
        return newWorker(executor);
    }

    /** Creates one of the loops. Called by the constructor; the pool starts it. */
    protected NioDatagramWorker newWorker(Executor executor) {
        return new NioDatagramWorker(Platform.DEFAULT);
    }

    @Override
    public NioDatagramWorker nextWorker() {
        return next();
    }
}
