package org.freshet.channel;

import org.freshet.internal.IoThreads;

/**
 * Implemented by channels whose transport limits how much may wait; their {@link WriteAccount} then maintains writability and the limit. A
 * channel without it has no marks and no limit of its own. Any thread may call any method.
 */
public interface WriteMarks {
    /** Above this many waiting bytes, the channel is not writable. */
    int highWaterMark();

    /** At or below this many waiting bytes, it is writable again; at most the high mark. */
    int lowWaterMark();

    /** The maximum number of waiting bytes, at least the high mark; 0 means no limit. */
    int limitBytes();

    /**
     * Whether the calling thread may be blocked until there is room: it must not be a thread that makes the room. By default, true unless
     * it is an I/O thread.
     */
    default boolean mayBlock() {
        return !IoThreads.isCurrent();
    }
}
