package org.freshet.channel;

import org.freshet.internal.IoThreads;

/**
 * Implemented by a transport's channel that says how much may wait on it; its {@link WriteAccount} then keeps writability and the limit. A
 * channel without it has neither marks nor a limit of its own. Any thread may call.
 */
public interface WriteMarks {
    /** Above so many waiting bytes the channel is not writable. */
    int highWaterMark();

    /** At so many waiting bytes or fewer it is writable again; at most the high mark. */
    int lowWaterMark();

    /** The most that may wait, at least the high mark; 0 for no limit. */
    int limitBytes();

    /**
     * Whether the calling thread may be blocked until there is room, because it is not one that makes the room. By default: whether it is no
     * I/O thread.
     */
    default boolean mayBlock() {
        return !IoThreads.isCurrent();
    }
}
