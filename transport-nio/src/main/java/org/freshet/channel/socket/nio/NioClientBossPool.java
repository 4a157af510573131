package org.freshet.channel.socket.nio;

import java.util.concurrent.Executor;
import org.freshet.channel.socket.nio.loop.Platform;
import org.freshet.channel.socket.nio.pool.LoopRole;
import org.freshet.channel.socket.nio.pool.LoopStart;
import org.freshet.util.ThreadNameDeterminer;
import org.freshet.util.Timer;

/**
 * The loops that wait for TCP connects to finish. Each occupies a thread of the executor until {@link #shutdown()}. Any
 * thread may call it.
 */
public class NioClientBossPool extends LoopPool<NioClientBoss> implements BossPool<NioClientBoss> {
    /** Null, or a timer passed by the caller. This pool only stops it. */
    private final Timer timer;

    /**
     * @throws IllegalArgumentException if the count is not positive
     * @throws IllegalStateException if the executor does not give every loop a thread
     */
    public NioClientBossPool(Executor executor, int bossCount) {
        this(executor, bossCount, null, null);
    }

    /**
     * @param timer may be null. Not used, because a boss keeps its own deadlines, to the millisecond; only
     *     {@link #releaseExternalResources()} stops it
     * @param determiner chooses the names of the threads; null uses the default of
     *     {@link org.freshet.util.ThreadRenamingRunnable}
     * @throws IllegalArgumentException if the count is not positive
     * @throws IllegalStateException if the executor does not give every loop a thread
     */
    public NioClientBossPool(Executor executor, int bossCount, Timer timer, ThreadNameDeterminer determiner) {
        super(executor, bossCount, LoopRole.CLIENT_BOSS, determiner, LoopStart.TIMEOUT_MILLIS);
        this.timer = timer;
    }

    @Override
    final NioClientBoss newLoop(Executor executor) {
        return newBoss(executor);
    }

    /** Creates one of the loops. Called by the constructor; the pool starts it. */
    protected NioClientBoss newBoss(Executor executor) {
        return new NioClientBoss(Platform.DEFAULT);
    }

    @Override
    public NioClientBoss nextBoss() {
        return next();
    }

    /**
     * Shuts down the loops, then the executor if it is an {@link java.util.concurrent.ExecutorService}, then the timer.
     */
    @Override
    public void releaseExternalResources() {
        super.releaseExternalResources();
        if (timer != null) {
            timer.stop();
        }
    }
}
