package org.freshet.channel.socket.nio;

/** A set of loops, each with a thread and a selector of its own. */
public interface NioSelectorPool {
    /**
     * Moves every channel of every loop to a fresh selector, for when a selector misbehaves. Any thread; each
     * loop does it in its next iteration.
     */
    void rebuildSelectors();

    /**
     * Closes every channel of the loops, fails what is outstanding and ends their threads; returns when they have ended.
     *
     * @throws IllegalStateException if the caller is an I/O thread, which would wait for itself
     */
    void shutdown();
}
