package org.freshet.internal;

import org.freshet.channel.ChannelFuture;

/**
 * A channel that one thread drives.
 *
 * <p>A future of such a channel refuses to be awaited on that very thread: nobody else could complete it.
 */
public interface IoThreadBound {
    /** Whether the caller is the thread that completes this channel's futures. Any thread may ask. */
    boolean inIoThread();

    /**
     * Does what a pending future waits for, as far as that can be done at once: sends what is queued, closes what was asked to
     * close. Called on the I/O thread, by whoever would wait there; what is still pending afterwards is refused.
     */
    default void onAwait(ChannelFuture awaited) {}
}
