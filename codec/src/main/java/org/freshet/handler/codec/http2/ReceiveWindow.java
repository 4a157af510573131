package org.freshet.handler.codec.http2;

/**
 * What the peer may send on all streams of a connection. Octets are given back to him when they arrive, so that a stream which
 * is not read keeps no other from receiving; only once such streams hold more than a bound together, when they are read.
 *
 * <p>Belongs to the thread of its connection.
 */
final class ReceiveWindow {
    private final int size;
    private final int maxHeld;
    private long left = PeerSettings.DEFAULT_WINDOW_SIZE;

    /** Octets that arrived and that handlers have not seen. */
    private long held;

    /** Octets of those that were not given back yet. */
    private long owed;

    private int credit;

    ReceiveWindow(Http2Settings settings) {
        size = settings.connectionWindowSize();
        maxHeld = settings.maxHeldBytes();
    }

    /** Makes the window as large as it is to be; returns by how much. */
    int enlarge() {
        int increment = size - (int) left;
        left = size;
        return increment;
    }

    /** Returns false if the peer sends more than he may. */
    boolean take(int octets) {
        left -= octets;
        return left >= 0;
    }

    /** Octets have arrived for a stream that is there. Returns what the peer is to be told of now, or 0. */
    int arrived(int octets) {
        held += octets;
        if (held > maxHeld) {
            owed += octets;
            return 0;
        }
        return giveBack(octets);
    }

    /** Handlers are done with octets. Returns what the peer is to be told of now, or 0. */
    int consumed(int octets) {
        held -= octets;
        long due = Math.min(owed, octets);
        owed -= due;
        return due == 0 ? 0 : giveBack((int) due);
    }

    /** Octets are dropped. Returns what the peer is to be told of now, or 0. */
    int giveBack(int octets) {
        credit += octets;
        if (credit * 2L < size) {
            return 0;
        }
        int increment = credit;
        left += increment;
        credit = 0;
        return increment;
    }
}
