package org.freshet.handler.codec.spdy;

import java.util.ArrayDeque;
import java.util.Queue;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.WriteAccount;
import org.freshet.internal.handler.HeldWrite;

/** A stream of a session: the state of each direction, its windows, and its waiting output. I/O thread only. */
final class SpdyStream {
    /** The state of this side's output. */
    enum Sending {
        OPEN,
        /** The last frame was written and is waiting. */
        ENDING,
        CLOSED
    }

    /** A written message that waits for the I/O thread, for a window, or for an earlier message. */
    static final class Waiting {
        final HeldWrite written;

        /** The unsent rest of a data frame; null for other frames. */
        final ChannelBuffer data;

        /** Whether the frame is the last of its stream. The frame may be of a user's class, so it is asked once. */
        final boolean isLast;

        /** Whether part of the data was sent. */
        boolean isSplit;

        /** The remaining charge to the account; shrinks with each part that is sent. */
        private long charge;

        Waiting(HeldWrite written) {
            this.written = written;
            charge = written.charge();
            data = written.getMessage() instanceof SpdyDataFrame dataFrame
                    ? dataFrame.getData().duplicate()
                    : null;
            isLast = written.getMessage() instanceof SpdyStreamFrame frame && frame.isLast();
        }

        /** Whether the user's frame can be sent: all of it is due, and what was counted hasn't changed. User code may act or throw here. */
        boolean isAsWritten(int streamId) {
            if (data == null) {
                return true;
            }
            if (isSplit) {
                return false;
            }
            SpdyDataFrame frame = (SpdyDataFrame) written.getMessage();
            try {
                return frame.getStreamId() == streamId
                        && frame.isLast() == isLast
                        && frame.getData().readableBytes() == data.readableBytes();
            } catch (RuntimeException e) {
                return false; // what was counted needs none of the user's code
            }
        }

        /** Takes the charge of the part that was just split off. */
        long takePartsCharge() {
            long before = charge;
            charge = Math.min(before, WriteAccount.costOf(data.readableBytes()));
            return before - charge;
        }

        /** Takes the rest of the charge; 0 the second time. */
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

    /** Bytes the peer accepts; negative if it made its window smaller. */
    long sendWindow;

    /** Bytes this side accepts. */
    long receiveWindow;

    /** Bytes that have arrived but that no handler has seen. */
    long held;

    /** How far the peer may exceed a window that this side has just made smaller: 0 or negative. */
    long receiveWindowFloor;

    /** Bytes of data sent since the last check that found progress; at most {@code PROGRESS}. */
    private int progress;

    /** Checks without progress since then. */
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

    /** Returns the number of consecutive checks in which data waited for a window, and almost none was sent. */
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
