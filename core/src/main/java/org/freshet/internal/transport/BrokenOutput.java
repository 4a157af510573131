package org.freshet.internal.transport;

import java.util.concurrent.TimeUnit;
import org.freshet.channel.CloseReason;

/**
 * Limits how long a channel stays open that can no longer send, because the peer has reset the connection, so that its handlers can read
 * what had arrived before. There is one for each such channel.
 *
 * <p>The transport checks every {@link #LOOK_MILLIS}. The channel closes if nothing was read since the last check, for example because its
 * handlers have suspended reading, or at check number {@value #MOST_LOOKS}. Normally the end of the input comes much earlier.
 *
 * <p>Threading: one thread at a time checks; another thread may do the reads.
 */
public final class BrokenOutput {
    /** Long enough for handlers that block, or suspend reading for a moment, to get everything. */
    public static final long LOOK_MILLIS = TimeUnit.SECONDS.toMillis(5);

    /** Nothing arrives after a reset; this is for failures that look like a reset while the peer keeps sending. */
    static final int MOST_LOOKS = 6;

    private int looks;
    private volatile boolean hasRead;

    /** Whether data from the peer can still be read after sending has failed for this reason. */
    public static boolean leavesInput(CloseReason reason) {
        return reason.kind() == CloseReason.Kind.PEER_RESET;
    }

    public void onRead() {
        if (!hasRead) {
            hasRead = true;
        }
    }

    /** Checks whether to close the channel now. */
    public boolean isOver() {
        boolean isIdle = !hasRead;
        hasRead = false;
        return isIdle || ++looks == MOST_LOOKS;
    }
}
