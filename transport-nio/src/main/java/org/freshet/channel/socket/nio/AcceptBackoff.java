package org.freshet.channel.socket.nio;

/**
 * How long a server steps back when it cannot accept, typically for want of file descriptors: 5 ms, doubling to 1 s, anew
 * after a success. Loop only.
 */
final class AcceptBackoff {
    private static final int FIRST_MILLIS = 5;
    private static final int LAST_MILLIS = 1000;

    private int nextMillis = FIRST_MILLIS;

    /** Whether the coming step back is the first since the last success. */
    boolean isFirst() {
        return nextMillis == FIRST_MILLIS;
    }

    int nextMillis() {
        int millis = nextMillis;
        nextMillis = Math.min(millis * 2, LAST_MILLIS);
        return millis;
    }

    void reset() {
        nextMillis = FIRST_MILLIS;
    }
}
