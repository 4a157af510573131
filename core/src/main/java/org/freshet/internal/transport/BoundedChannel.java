package org.freshet.internal.transport;

import org.freshet.channel.CloseReason;
import org.freshet.channel.WriteOverflow;
import org.freshet.internal.QueuedBytes;

/** A channel that may have a limit for what waits to be sent. Any thread may call. */
public interface BoundedChannel extends QueuedBytes {
    /** The limit in bytes, which is at least the high water mark; 0 for none. */
    int writeLimitBytes();

    /** What happens at the limit. */
    WriteOverflow writeOverflow();

    /** Whether the caller must not wait for this channel. */
    boolean isOnIoThread();

    /**
     * Closes without asking the handlers, one of which may be what keeps the bytes. Writes fail from now on, and so does what the peer does
     * not take at once.
     */
    void giveUp(CloseReason reason);
}
