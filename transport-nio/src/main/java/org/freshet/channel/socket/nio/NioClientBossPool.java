package org.freshet.channel.socket.nio;

import java.util.concurrent.Executor;
import org.freshet.util.ExternalResourceReleasable;
import org.freshet.util.ThreadNameDeterminer;
import org.freshet.util.Timer;

/** The loops that wait for TCP connects to finish. Each keeps a thread of the executor until {@link #shutdown()}. Any thread. */
public class NioClientBossPool implements BossPool<NioClientBoss>, ExternalResourceReleasable {
    private final LoopPool<NioClientBoss> loops;

    /** Null, or the caller's, of which only the end is left to this pool. */
    private final Timer timer;

    /**
     * @throws IllegalArgumentException if the count is not positive
     * @throws IllegalStateException if the executor does not give every loop a thread
     */
    public NioClientBossPool(Executor executor, int bossCount) {
        this(executor, bossCount, null, null);
    }

    /**
     * @param timer not used: a boss keeps its own deadlines, to the millisecond; null is fine. It stays the caller's to stop,
     *     except that {@link #releaseExternalResources()} stops it as it always did
     * @param determiner decides the names of the threads; null leaves it to {@link org.freshet.util.ThreadRenamingRunnable}
     * @throws IllegalArgumentException if the count is not positive
     * @throws IllegalStateException if the executor does not give every loop a thread
     */
    public NioClientBossPool(Executor executor, int bossCount, Timer timer, ThreadNameDeterminer determiner) {
        this.timer = timer;
        loops = new LoopPool<>(executor, bossCount, "client boss", determiner, this::newBoss);
    }

    /** Makes one of the loops; called by the constructor. The pool starts it. */
    protected NioClientBoss newBoss(Executor executor) {
        return new NioClientBoss(Platform.DEFAULT);
    }

    @Override
    public NioClientBoss nextBoss() {
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

    /** Shuts the loops down, then the executor if it is an {@link java.util.concurrent.ExecutorService}, then the timer. */
    @Override
    public void releaseExternalResources() {
        loops.releaseExternalResources();
        if (timer != null) {
            timer.stop();
        }
    }
}
