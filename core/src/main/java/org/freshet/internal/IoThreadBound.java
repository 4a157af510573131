package org.freshet.internal;

/**
 * A channel that one thread drives.
 *
 * <p>A future of such a channel refuses to be awaited on that very thread: nobody else could complete it.
 */
public interface IoThreadBound {
    /** Whether the caller is the thread that completes this channel's futures. Any thread may ask. */
    boolean inIoThread();
}
