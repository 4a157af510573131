package org.freshet.handler.codec.spdy;

import java.util.concurrent.TimeUnit;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.WriteAccount;
import org.freshet.internal.HeapReserve;
import org.freshet.internal.request.SerialChannel;
import org.freshet.internal.time.Alarm;
import org.freshet.util.Timer;

/**
 * Bounds how long a peer may take, see {@link SpdyTimeouts}. While something waits to be sent, that is checked every quarter of
 * its time; while a close waits for streams, every quarter of that time. Checks are counted, so frames don't have to read the
 * clock. A session with nothing to send sets no timer.
 *
 * <p>I/O thread only.
 */
final class SpdyDeadlines {
    /** The number of checks while a time passes. */
    private static final int CHECKS = 4;

    /** The bytes that count as progress. */
    static final int PROGRESS = 1024;

    private final SpdySession session;
    private final SpdyTimeouts times;
    private final Timer timer;

    /** Each is null until it is needed. */
    private Alarm stall;

    private Alarm close;

    private boolean isOver;

    /** Bytes sent by the channel since the last check. */
    private long written;

    /** Consecutive checks in which nothing was sent. */
    private int unwritten;

    // The state when a close last made progress, and the number of checks since then.
    private long movedBefore;
    private int streamsBefore;
    private int unmoved;

    /** Bytes sent by the channel, and bytes of data received. */
    private long moved;

    /** @param timer null uses Freshet's own */
    SpdyDeadlines(SpdySession session, SpdyTimeouts times, Timer timer) {
        this.session = session;
        this.times = times;
        this.timer = timer;
    }

    // ---- events of the session ----

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

    /** The channel will be closed once streams have ended, or everything written has been sent. */
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
        return Alarm.ofLimit(timer, each -> SerialChannel.executeUrgently(ctx.getChannel(), each), () -> {
            if (!isOver) {
                task.run();
            }
        });
    }

    private static void set(Alarm alarm, long millis) {
        alarm.set(TimeUnit.MILLISECONDS.toNanos(millis) / CHECKS);
    }

    /** Whether this many checks exceed the time. Takes one more check, because the first may come right away. */
    private static boolean exceeds(int checks) {
        return checks > CHECKS;
    }

    private void checkStalls(ChannelHandlerContext ctx) {
        try {
            session.sender.flushAll(ctx); // what memory ran out for when the windows grew
        } catch (VirtualMachineError noMemory) {
            HeapReserve.onFailure(noMemory); // the next check tries again
        }
        unwritten = WriteAccount.queuedBytes(ctx.getChannel()) == 0 || written > 0 ? 0 : unwritten + 1;
        written = 0;
        if (exceeds(unwritten)) {
            session.closeTimedOut(ctx, "nothing could be sent for " + times.writeStallMillis() + " ms");
            return;
        }
        boolean isSessionHeld = session.sender.isHeldByPeer();
        for (SpdyStream stream : session.streams.byUrgency()) {
            if (exceeds(stream.checkStall(isSessionHeld))) {
                session.endStalled(
                        ctx,
                        stream,
                        "the peer's windows allowed less than " + PROGRESS + " bytes in " + times.writeStallMillis()
                                + " ms");
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
        if (exceeds(unmoved)) {
            session.closeTimedOut(
                    ctx,
                    "after GOAWAY, no stream ended and almost nothing was sent or received within "
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
