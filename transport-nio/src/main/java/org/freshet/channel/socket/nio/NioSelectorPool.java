package org.freshet.channel.socket.nio;

/** A set of loops, each with its own thread and selector. */
public interface NioSelectorPool {
    /**
     * Moves every channel of every loop to a fresh selector, in case a selector misbehaves. Any thread may call it;
     * each loop does it in its next iteration.
     */
    void rebuildSelectors();

    /**
     * Closes every channel of the loops, fails pending requests and ends their threads. Returns when they have ended.
     *
     * @throws IllegalStateException if the caller is an I/O thread, which would wait for itself
     */
    void shutdown();
}
