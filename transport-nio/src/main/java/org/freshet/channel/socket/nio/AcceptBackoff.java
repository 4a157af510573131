package org.freshet.channel.socket.nio;

/**
 * How long a server steps back when it cannot accept, typically for want of file descriptors: 5 ms, doubling to 1 s, anew
 * after a success. Loop only.
 *
 * <p>A shortage is worth one message. It is over when no connection waits any more, not at the first success: a server that
 * gets descriptors back one by one accepts and fails by turns.
 */
final class AcceptBackoff {
    private static final int FIRST_MILLIS = 5;
    private static final int LAST_MILLIS = 1000;

    private int nextMillis = FIRST_MILLIS;

    private boolean isAnnounced;

    /** Whether nobody has been told of this shortage. */
    boolean isNews() {
        return !isAnnounced;
    }

    void onAnnounced() {
        isAnnounced = true;
    }

    int nextMillis() {
        int millis = nextMillis;
        nextMillis = Math.min(millis * 2, LAST_MILLIS);
        return millis;
    }

    void onAccepted() {
        nextMillis = FIRST_MILLIS;
    }

    void onNoneWaiting() {
        nextMillis = FIRST_MILLIS;
        isAnnounced = false;
    }
}
