package org.freshet.channel.socket.nio;

import java.util.concurrent.Executor;
import org.freshet.util.ExternalResourceReleasable;
import org.freshet.util.ThreadNameDeterminer;

/** The loops that accept TCP connections. Each keeps a thread of the executor until {@link #shutdown()}. Any thread. */
public class NioServerBossPool implements BossPool<NioServerBoss>, ExternalResourceReleasable {
    private final LoopPool<NioServerBoss> loops;

    /**
     * @throws IllegalArgumentException if the count is not positive
     * @throws IllegalStateException if the executor does not give every loop a thread
     */
    public NioServerBossPool(Executor executor, int bossCount) {
        this(executor, bossCount, null);
    }

    /**
     * @param determiner decides the names of the threads; null leaves it to {@link org.freshet.util.ThreadRenamingRunnable}
     * @throws IllegalArgumentException if the count is not positive
     * @throws IllegalStateException if the executor does not give every loop a thread
     */
    public NioServerBossPool(Executor executor, int bossCount, ThreadNameDeterminer determiner) {
        loops = new LoopPool<>(executor, bossCount, "server boss", determiner, this::newBoss);
    }

    /** Makes one of the loops; called by the constructor. The pool starts it. */
    protected NioServerBoss newBoss(Executor executor) {
        return new NioServerBoss(Platform.DEFAULT);
    }

    @Override
    public NioServerBoss nextBoss() {
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
