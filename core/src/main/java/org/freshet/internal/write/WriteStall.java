package org.freshet.internal.write;

import java.util.concurrent.TimeUnit;
import org.freshet.channel.CloseReason;

/**
 * Notices that a peer takes nothing of what waits for it, from looks at equal intervals. For the one thread that looks.
 */
public final class WriteStall {
    /** Looks within the time limit. */
    private static final int LOOKS = 4;

    /** What was to be sent next when something had left last. */
    private Object head;

    private long headSentBytes;
    private long sinceNanos;

    /** The first look. */
    public WriteStall(Object head, long headSentBytes, long nowNanos) {
        note(head, headSentBytes, nowNanos);
    }

    private void note(Object next, long sentBytes, long nowNanos) {
        head = next;
        headSentBytes = sentBytes;
        sinceNanos = nowNanos;
    }

    /** How long to wait for the next look, in milliseconds. */
    public static long intervalMillis(int stallMillis) {
        return Math.max(1, stallMillis / LOOKS);
    }

    /**
     * Looks again.
     *
     * @param nextHead what is to be sent next; never null, and another object for each message
     * @param sentBytes how much of it has been sent
     * @return whether nothing has left for so long
     */
    public boolean isOver(int stallMillis, Object nextHead, long sentBytes, long nowNanos) {
        if (nextHead != head || sentBytes != headSentBytes) {
            note(nextHead, sentBytes, nowNanos);
            return false;
        }
        return nowNanos - sinceNanos >= TimeUnit.MILLISECONDS.toNanos(stallMillis);
    }

    public static CloseReason reason(int stallMillis, long waitingBytes) {
        return CloseReason.of(
                CloseReason.Kind.TIMED_OUT,
                "the peer has taken nothing for " + stallMillis + " ms (writeStallTimeoutMillis) while " + waitingBytes
                        + " bytes waited for it");
    }
}
