package org.freshet.channel.socket.nio;

import java.util.List;
import java.util.function.Supplier;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.socket.nio.loop.Platform;
import org.freshet.channel.socket.nio.pool.PoolStats;
import org.freshet.telemetry.LoopSource;
import org.freshet.telemetry.LoopStats;
import org.freshet.util.ExternalResourceReleasable;

/** What the channel factories share: their pools, and how these end. Any thread. */
abstract class PooledFactory implements ChannelFactory, LoopSource {
    /** Bosses before workers, so that at the end no connection comes to a worker that is gone. */
    private final NioSelectorPool[] pools;

    /** Whether no other code can shut the executors down. */
    private final boolean ownsExecutors;

    final Platform platform;

    PooledFactory(Platform platform, boolean ownsExecutors, NioSelectorPool... pools) {
        this.platform = platform;
        this.ownsExecutors = ownsExecutors;
        this.pools = pools;
    }

    /**
     * Makes the second of a factory's two pools, or gets it from the user. When that fails the first one, which has no other owner,
     * is ended: its threads would go on for ever.
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
     * Closes every channel, fails what is outstanding and ends every boss and worker thread; executors that the user gave live on.
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

    /** As {@link #shutdown()}, and then shuts the executors down, where they are executor services. */
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
