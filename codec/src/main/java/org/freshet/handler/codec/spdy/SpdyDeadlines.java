package org.freshet.handler.codec.spdy;

import java.util.concurrent.TimeUnit;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.WriteAccount;
import org.freshet.internal.request.SerialChannel;
import org.freshet.internal.time.Alarm;
import org.freshet.util.Timer;

/**
 * Bounds how long a peer may take, see {@link SpdyTimeouts}. While something waits to be sent it is looked at every quarter of the time, and
 * while a close waits for streams, every quarter of that one; looks are counted, so that frames cost no look at a clock. A session that has
 * nothing to send sets no timer.
 *
 * <p>I/O thread only.
 */
final class SpdyDeadlines {
    /** How often a time is looked at while it passes. */
    private static final int LOOKS = 4;

    /** Bytes that show that the peer takes something. */
    static final int PROGRESS = 1024;

    private final SpdySession session;
    private final SpdyTimeouts times;
    private final Timer timer;

    /** Each null until it is needed. */
    private Alarm stall;

    private Alarm close;

    private boolean isOver;

    /** Bytes that have left the channel since the last look. */
    private long written;

    /** How many looks in a row have found that nothing has left. */
    private int unwritten;

    // When it was last found that a close makes progress, and how many looks ago.
    private long movedBefore;
    private int streamsBefore;
    private int unmoved;

    /** Bytes that have left the channel, and bytes of data that have come. */
    private long moved;

    /** @param timer null for Freshet's own */
    SpdyDeadlines(SpdySession session, SpdyTimeouts times, Timer timer) {
        this.session = session;
        this.times = times;
        this.timer = timer;
    }

    // ---- what the session says ----

    void onWritten(long bytes) {
        written += bytes;
        moved += bytes;
    }

    void onReceived(int bytes) {
        moved += bytes;
    }

    /** Something may have begun to wait. */
    void watch(ChannelHandlerContext ctx) {
        if (times.writeStallMillis() > 0 && !isOver && WriteAccount.waitingBytes(ctx.getChannel()) > 0) {
            if (stall == null) {
                stall = alarm(ctx, () -> checkStalls(ctx));
            }
            if (!stall.isSet()) {
                written = 0;
                unwritten = 0;
                set(stall, times.writeStallMillis());
            }
        }
    }

    /** The channel is to be closed, once streams have ended or what was written has left. */
    void onClosing(ChannelHandlerContext ctx) {
        if (times.drainMillis() > 0 && !isOver && close == null) {
            close = alarm(ctx, () -> checkClose(ctx));
            noteProgress();
            set(close, times.drainMillis());
        }
    }

    /** The channel is closed. */
    void stop() {
        isOver = true;
        if (stall != null) {
            stall.cancel();
        }
        if (close != null) {
            close.cancel();
        }
    }

    // ---- time ----

    private Alarm alarm(ChannelHandlerContext ctx, Runnable task) {
        return new Alarm(timer, each -> SerialChannel.executeUrgently(ctx.getChannel(), each), () -> {
            if (!isOver) {
                task.run();
            }
        });
    }

    private static void set(Alarm alarm, long millis) {
        alarm.set(TimeUnit.MILLISECONDS.toNanos(millis) / LOOKS);
    }

    /** Whether so many looks are more than the time; one more, since the first may come at once. */
    private static boolean isOver(int looks) {
        return looks > LOOKS;
    }

    private void checkStalls(ChannelHandlerContext ctx) {
        unwritten = WriteAccount.queuedBytes(ctx.getChannel()) == 0 || written > 0 ? 0 : unwritten + 1;
        written = 0;
        if (isOver(unwritten)) {
            session.closeLate(ctx, "nothing could be sent for " + times.writeStallMillis() + " ms");
            return;
        }
        boolean isSessionHeld = session.sender.isHeldByPeer();
        for (SpdyStream stream : session.streams.byUrgency()) {
            if (isOver(stream.checkStall(isSessionHeld))) {
                session.endStalled(
                        ctx,
                        stream,
                        "the peer's windows have let pass less than " + PROGRESS + " bytes in "
                                + times.writeStallMillis() + " ms");
            }
        }
        if (WriteAccount.waitingBytes(ctx.getChannel()) > 0) {
            set(stall, times.writeStallMillis());
        }
    }

    private void checkClose(ChannelHandlerContext ctx) {
        if (moved - movedBefore >= PROGRESS || session.streams.size() < streamsBefore) {
            noteProgress();
        } else {
            unmoved++;
        }
        if (isOver(unmoved)) {
            session.closeLate(
                    ctx,
                    "no stream has ended after GOAWAY, and almost nothing was sent or received, within "
                            + times.drainMillis() + " ms");
        } else {
            set(close, times.drainMillis());
        }
    }

    private void noteProgress() {
        movedBefore = moved;
        streamsBefore = session.streams.size();
        unmoved = 0;
    }
}
