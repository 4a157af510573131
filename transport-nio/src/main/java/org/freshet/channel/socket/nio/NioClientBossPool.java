package org.freshet.channel.socket.nio;

import java.util.concurrent.Executor;
import org.freshet.channel.socket.nio.loop.Platform;
import org.freshet.channel.socket.nio.pool.LoopRole;
import org.freshet.channel.socket.nio.pool.LoopStart;
import org.freshet.util.ThreadNameDeterminer;
import org.freshet.util.Timer;

/** The loops that wait for TCP connects to finish. Each keeps a thread of the executor until {@link #shutdown()}. Any thread. */
public class NioClientBossPool extends LoopPool<NioClientBoss> implements BossPool<NioClientBoss> {
    /** Null, or a timer of the caller's, which this pool only stops. */
    private final Timer timer;

    /**
     * @throws IllegalArgumentException if the count is not positive
     * @throws IllegalStateException if the executor does not give every loop a thread
     */
    public NioClientBossPool(Executor executor, int bossCount) {
        this(executor, bossCount, null, null);
    }

    /**
     * @param timer not used, because a boss keeps its own deadlines, to the millisecond; may be null. Only {@link
     *     #releaseExternalResources()} stops it
     * @param determiner decides the names of the threads; null leaves it to {@link org.freshet.util.ThreadRenamingRunnable}
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

    /** Makes one of the loops; called by the constructor. The pool starts it. */
    protected NioClientBoss newBoss(Executor executor) {
        return new NioClientBoss(Platform.DEFAULT);
    }

    @Override
    public NioClientBoss nextBoss() {
        return next();
    }

    /** Shuts the loops down, then the executor if it is an {@link java.util.concurrent.ExecutorService}, then the timer. */
    @Override
    public void releaseExternalResources() {
        super.releaseExternalResources();
        if (timer != null) {
            timer.stop();
        }
    }
}
