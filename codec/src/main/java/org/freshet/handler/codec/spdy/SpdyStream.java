package org.freshet.handler.codec.spdy;

import java.util.ArrayDeque;
import java.util.Queue;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.WriteAccount;
import org.freshet.internal.handler.HeldWrite;

/** One stream of a session: how far each direction has come, its windows, and what waits to be sent. I/O thread only. */
final class SpdyStream {
    /** What this side sends. */
    enum Sending {
        OPEN,
        /** The last frame was written and waits. */
        ENDING,
        CLOSED
    }

    /** A message that was written, and waits for the I/O thread, for the window, or behind one that does. */
    static final class Waiting {
        final HeldWrite written;

        /** What was not sent of a data frame; null of other frames. */
        final ChannelBuffer data;

        /** What the account still counts for it; shrinks with each part that is sent. */
        private long charge;

        Waiting(HeldWrite written) {
            this.written = written;
            charge = written.charge();
            data = written.getMessage() instanceof SpdyDataFrame dataFrame
                    ? dataFrame.getData().duplicate()
                    : null;
        }

        SpdyStreamFrame frame() {
            return (SpdyStreamFrame) written.getMessage();
        }

        /** Takes the charge of the part that has just been cut off. */
        long takePartsCharge() {
            long before = charge;
            charge = Math.min(before, WriteAccount.costOf(data.readableBytes()));
            return before - charge;
        }

        /** Takes what is left; 0 the second time. */
        long takeCharge() {
            long taken = charge;
            charge = 0;
            return taken;
        }
    }

    final int id;
    final byte priority;
    final long openedAtNanos;
    final Queue<Waiting> waiting = new ArrayDeque<>(2);

    Sending sending;
    boolean isRemoteClosed;
    boolean hasReply;

    /** Bytes that the peer accepts; negative if it made its window smaller. */
    long sendWindow;

    /** Bytes that this side accepts. */
    long receiveWindow;

    /** Bytes that have arrived and that handlers have not seen. */
    long held;

    /** How far the peer may exceed a window that this side has just made smaller: 0 or negative. */
    long receiveWindowFloor;

    /** Bytes of data that were sent since the peer was last found to take some; no more than {@code PROGRESS}. */
    private int progress;

    /** How often it was found to take none, since then. */
    private int stalls;

    SpdyStream(int id, byte priority, long openedAtNanos, int sendWindow, int receiveWindow) {
        this.id = id;
        this.priority = priority;
        this.openedAtNanos = openedAtNanos;
        this.sendWindow = sendWindow;
        this.receiveWindow = receiveWindow;
        sending = Sending.OPEN;
    }

    void onSent(int bytes) {
        progress = Math.min(SpdyDeadlines.PROGRESS, progress + bytes);
    }

    /** Returns how often in a row data was waiting for a window, and none to speak of was sent. */
    int checkStall(boolean isSessionHeld) {
        boolean isHeld = !waiting.isEmpty() && (sendWindow <= 0 || isSessionHeld);
        stalls = isHeld && progress < SpdyDeadlines.PROGRESS ? stalls + 1 : 0;
        progress = stalls == 0 ? 0 : progress;
        return stalls;
    }

    boolean isClosed() {
        return isRemoteClosed && sending == Sending.CLOSED;
    }
}
