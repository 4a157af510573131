package org.freshet.channel.socket.nio;

import java.util.List;
import org.freshet.channel.socket.Worker;
import org.freshet.channel.socket.nio.pool.PoolStats;
import org.freshet.telemetry.LoopSource;
import org.freshet.telemetry.LoopStats;
import org.freshet.util.ExternalResourceReleasable;

/**
 * Lets several channel factories share one worker pool. No factory shuts it down; only {@link #destroy()} does. Any
 * thread may call it.
 */
public final class ShareableWorkerPool<E extends Worker> implements WorkerPool<E>, LoopSource {
    private final WorkerPool<E> shared;

    public ShareableWorkerPool(WorkerPool<E> shared) {
        if (shared == null) {
            throw new NullPointerException("shared");
        }
        this.shared = shared;
    }

    @Override
    public E nextWorker() {
        return shared.nextWorker();
    }

    @Override
    public List<LoopStats> loopStats() {
        return PoolStats.of(shared);
    }

    @Override
    public void rebuildSelectors() {
        shared.rebuildSelectors();
    }

    /** Does nothing: the other factories may still need the workers. */
    @Override
    public void shutdown() {}

    /**
     * Shuts down the workers and releases their executor. Call it once no factory uses them any more.
     *
     * @throws IllegalStateException if the caller is an I/O thread
     */
    public void destroy() {
        shared.shutdown();
        if (shared instanceof ExternalResourceReleasable releasable) {
            releasable.releaseExternalResources();
        }
    }
}
