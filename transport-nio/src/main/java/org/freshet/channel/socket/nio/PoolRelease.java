package org.freshet.channel.socket.nio;

import java.util.function.Supplier;
import org.freshet.util.ExternalResourceReleasable;

/** How a channel factory releases its pools. Any thread but an I/O thread. */
final class PoolRelease {
    private PoolRelease() {}

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

    /** Ends the pools in the order given: bosses before workers, so that no connection comes to a worker that is gone. */
    static void shutdown(NioSelectorPool... pools) {
        LoopPool.refuseOnIoThread();
        for (NioSelectorPool pool : pools) {
            pool.shutdown();
        }
    }

    /** As {@link #shutdown}, and releases what the pools run on where they know how. */
    static void release(NioSelectorPool... pools) {
        for (NioSelectorPool pool : pools) {
            if (pool instanceof ExternalResourceReleasable releasable) {
                releasable.releaseExternalResources();
            }
        }
    }
}
