package org.freshet.internal.transport;

import java.util.concurrent.TimeUnit;
import org.freshet.channel.CloseReason;

/**
 * Limits how long a channel stays open that can't send any more, because the peer has reset the connection, so that its handlers read
 * what had arrived before. One for each such channel.
 *
 * <p>The transport looks every {@link #LOOK_MILLIS}. The channel closes if nothing was read since the last look, as when its handlers
 * have suspended reading, or at the {@value #MOST_LOOKS}th look. Normally the end of the input comes much earlier.
 *
 * <p>Threading: one thread at a time looks; the reads may be another thread's.
 */
public final class BrokenOutput {
    /** Handlers that block, or that suspend reading for a moment, still get all. */
    public static final long LOOK_MILLIS = TimeUnit.SECONDS.toMillis(5);

    /** Nothing arrives after a reset; this is for a failure that looked like one, while the peer goes on sending. */
    static final int MOST_LOOKS = 6;

    private int looks;
    private volatile boolean hasRead;

    /** Whether what the peer has sent can still be read after sending has failed for this reason. */
    public static boolean leavesInput(CloseReason reason) {
        return reason.kind() == CloseReason.Kind.PEER_RESET;
    }

    public void onRead() {
        if (!hasRead) {
            hasRead = true;
        }
    }

    /** Looks: whether the channel is to be closed now. */
    public boolean isOver() {
        boolean isIdle = !hasRead;
        hasRead = false;
        return isIdle || ++looks == MOST_LOOKS;
    }
}
