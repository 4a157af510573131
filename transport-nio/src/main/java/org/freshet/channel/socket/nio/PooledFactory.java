package org.freshet.channel.socket.nio;

import java.util.List;
import java.util.function.Supplier;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.socket.nio.loop.Platform;
import org.freshet.channel.socket.nio.pool.PoolStats;
import org.freshet.telemetry.LoopSource;
import org.freshet.telemetry.LoopStats;
import org.freshet.util.ExternalResourceReleasable;

/** The common part of the channel factories: their pools and the shutdown. Any thread may call it. */
abstract class PooledFactory implements ChannelFactory, LoopSource {
    /** Bosses before workers, so that during shutdown no connection reaches a worker that is gone. */
    private final NioSelectorPool[] pools;

    /** Whether the executors were created here, so no other code can shut them down. */
    private final boolean ownsExecutors;

    final Platform platform;

    PooledFactory(Platform platform, boolean ownsExecutors, NioSelectorPool... pools) {
        this.platform = platform;
        this.ownsExecutors = ownsExecutors;
        this.pools = pools;
    }

    /**
     * Creates the second of a factory's two pools, or gets it from the user. If that fails, shuts down the first, which
     * has no other owner: its threads would otherwise run forever.
     */
    static <P> P secondPool(NioSelectorPool first, Supplier<P> second) {
        try {
            return second.get();
        } catch (RuntimeException | Error e) {
            try {
                first.shutdown();
            } catch (RuntimeException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            throw e;
        }
    }

    @Override
    public List<LoopStats> loopStats() {
        return PoolStats.of((Object[]) pools);
    }

    /**
     * Closes every channel, fails pending requests and ends every boss and worker thread. Executors that you passed are
     * not shut down.
     *
     * @throws IllegalStateException if the caller is an I/O thread
     */
    @Override
    public void shutdown() {
        end();
        if (ownsExecutors) {
            releaseExecutors();
        }
    }

    /** Same as {@link #shutdown()}, and then shuts down the executors that are executor services. */
    @Override
    public void releaseExternalResources() {
        end();
        releaseExecutors();
    }

    private void end() {
        LoopPool.refuseOnIoThread();
        for (NioSelectorPool pool : pools) {
            pool.shutdown();
        }
    }

    private void releaseExecutors() {
        for (NioSelectorPool pool : pools) {
            if (pool instanceof ExternalResourceReleasable releasable) {
                releasable.releaseExternalResources();
            }
        }
    }
}
