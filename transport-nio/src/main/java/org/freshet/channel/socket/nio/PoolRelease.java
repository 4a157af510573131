package org.freshet.channel.socket.nio;

import org.freshet.util.ExternalResourceReleasable;

/** How a channel factory lets go of its pools. Any thread but an I/O thread. */
final class PoolRelease {
    private PoolRelease() {}

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
