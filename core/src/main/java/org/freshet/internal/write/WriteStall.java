package org.freshet.internal.write;

import java.util.concurrent.TimeUnit;
import org.freshet.channel.CloseReason;

/** Detects a peer that takes nothing although messages wait for it, by checks at equal intervals. For the one thread that checks. */
public final class WriteStall {
    /** The number of checks within the time limit. */
    private static final int LOOKS = 4;

    /** The next message to send when something was last sent. */
    private Object head;

    private long headSentBytes;
    private long sinceNanos;

    /** Performs the first check. */
    public WriteStall(Object head, long headSentBytes, long nowNanos) {
        note(head, headSentBytes, nowNanos);
    }

    private void note(Object next, long sentBytes, long nowNanos) {
        head = next;
        headSentBytes = sentBytes;
        sinceNanos = nowNanos;
    }

    /** Returns how long to wait until the next check, in milliseconds. */
    public static long intervalMillis(int stallMillis) {
        return Math.max(1, stallMillis / LOOKS);
    }

    /**
     * Performs another check.
     *
     * @param nextHead the next message to send; never null, and a different object for each message
     * @param sentBytes how much of it has been sent
     * @return whether nothing has been sent for the whole time
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
                "the peer has accepted no data for " + stallMillis + " ms (writeStallTimeoutMillis) while "
                        + waitingBytes + " bytes waited to be sent");
    }
}
