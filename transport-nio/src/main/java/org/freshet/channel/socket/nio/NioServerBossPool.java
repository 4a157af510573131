package org.freshet.channel.socket.nio;

import java.util.concurrent.Executor;
import org.freshet.channel.socket.nio.loop.Platform;
import org.freshet.channel.socket.nio.pool.LoopRole;
import org.freshet.channel.socket.nio.pool.LoopStart;
import org.freshet.util.ThreadNameDeterminer;

/**
 * The loops that accept TCP connections. Each occupies a thread of the executor until {@link #shutdown()}. Any thread
 * may call it.
 */
public class NioServerBossPool extends LoopPool<NioServerBoss> implements BossPool<NioServerBoss> {
    /**
     * @throws IllegalArgumentException if the count is not positive
     * @throws IllegalStateException if the executor does not give every loop a thread
     */
    public NioServerBossPool(Executor executor, int bossCount) {
        this(executor, bossCount, null);
    }

    /**
     * @param determiner chooses the names of the threads; null uses the default of
     *     {@link org.freshet.util.ThreadRenamingRunnable}
     * @throws IllegalArgumentException if the count is not positive
     * @throws IllegalStateException if the executor does not give every loop a thread
     */
    public NioServerBossPool(Executor executor, int bossCount, ThreadNameDeterminer determiner) {
        super(executor, bossCount, LoopRole.SERVER_BOSS, determiner, LoopStart.TIMEOUT_MILLIS);
    }

    @Override
    final NioServerBoss newLoop(Executor executor) {
        return newBoss(executor);
    }

    /** Creates one of the loops. Called by the constructor; the pool starts it. */
    protected NioServerBoss newBoss(Executor executor) {
        return new NioServerBoss(Platform.DEFAULT);
    }

    @Override
    public NioServerBoss nextBoss() {
        return next();
    }
}
