package org.freshet.handler.codec.http2;

/**
 * Grows receive windows to the bandwidth-delay product. A PING measures the round trip. If handlers read two thirds of a window
 * or more during it, the window is doubled, up to a maximum. Unread content never grows a window.
 *
 * <p>Belongs to its connection's thread.
 */
final class WindowTuner {
    /** The payload of the measuring PING. */
    static final long PING = 0x77696e646f77L;

    private final FrameWriter writer;
    private final Credit credit;
    private final int maximum;

    /** Octets taken by handlers since the last measurement began or ended. */
    private long taken;

    private boolean isMeasuring;

    /** @param maximum the maximum size of both windows; if they already have it, they don't grow */
    WindowTuner(FrameWriter writer, Credit credit, int maximum) {
        this.writer = writer;
        this.credit = credit;
        this.maximum = maximum;
    }

    private boolean mayGrow() {
        return credit.streamWindow() < maximum || credit.connectionWindow() < maximum;
    }

    /** Handlers have taken this many octets. A PING is sent only while much is received. */
    void onTaken(int octets) {
        taken += octets;
        if (!isMeasuring && taken >= credit.streamWindow() / 2 && mayGrow()) {
            isMeasuring = true;
            taken = 0;
            writer.writePing(PING, false);
        }
    }

    /** The round trip is over. */
    void onAck() {
        if (isMeasuring) {
            isMeasuring = false;
            if (isUsedUp(credit.connectionWindow())) {
                credit.growConnectionWindow(doubled(credit.connectionWindow()));
            }
            if (isUsedUp(credit.streamWindow())) {
                credit.growStreamWindow(Math.min(doubled(credit.streamWindow()), credit.connectionWindow()));
            }
            taken = 0;
        }
    }

    private boolean isUsedUp(int window) {
        return window < maximum && taken * 3 >= window * 2L;
    }

    private int doubled(int window) {
        return (int) Math.min(maximum, window * 2L);
    }
}
