package org.freshet.handler.codec.spdy;

import java.util.ArrayDeque;
import java.util.Queue;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;

/**
 * Holds a session's received frames while the handlers above don't read. The channel is still read meanwhile: the following
 * frames may open windows, and a handler may have stopped reading to wait until its channel is writable. Held data isn't
 * returned to the peer's windows, so these bound it. Beyond {@link #MAX_HELD} frames the channel isn't read either.
 *
 * <p>I/O thread only.
 */
final class SpdyInbox {
    /** Frames; the headers of each have up to 16 KiB. */
    static final int MAX_HELD = 256;

    private final SpdyCredit credit;
    private final Queue<MessageEvent> held = new ArrayDeque<>(2);

    /** Whether the handlers above read. */
    private boolean isRead = true;

    /** Whether held frames are being delivered: handlers called meanwhile must not start that again. */
    private boolean isGiving;

    /** Whether the channel isn't read because too much is held. */
    private boolean isFull;

    SpdyInbox(SpdyCredit credit) {
        this.credit = credit;
    }

    boolean isEmpty() {
        return held.isEmpty();
    }

    /** A handler above wants to read, or to stop reading. */
    void request(ChannelHandlerContext ctx, ChannelStateEvent e) {
        isRead = (((Number) e.getValue()).intValue() & Channel.OP_READ) != 0;
        giveHeld(ctx);
        if (isRead && !isFull && !ctx.getChannel().isReadable()) {
            ctx.sendDownstream(e); // other handlers of this side have suspended it
        } else {
            e.getFuture().setSuccess();
        }
    }

    /** Passes a message on, or keeps it until handlers read. */
    void deliver(ChannelHandlerContext ctx, MessageEvent e) {
        if (isRead && held.isEmpty() && !isGiving) {
            pass(ctx, e);
            return;
        }
        held.add(e);
        if (held.size() >= MAX_HELD && !isFull) {
            isFull = true;
            read(ctx, Channel.OP_NONE);
        }
    }

    private void giveHeld(ChannelHandlerContext ctx) {
        if (isGiving) {
            return;
        }
        isGiving = true;
        try {
            while (isRead && !held.isEmpty()) {
                pass(ctx, held.remove());
            }
        } finally {
            isGiving = false;
        }
        if (isFull && held.isEmpty()) {
            isFull = false;
            read(ctx, Channel.OP_READ);
        }
    }

    private static void read(ChannelHandlerContext ctx, int ops) {
        Channels.setInterestOps(ctx, Channels.future(ctx.getChannel()), ops);
    }

    private void pass(ChannelHandlerContext ctx, MessageEvent e) {
        if (e.getMessage() instanceof SpdyDataFrame frame) {
            credit.giveBack(ctx, frame);
        }
        ctx.sendUpstream(e);
    }

    /** Passes everything on even if handlers don't read: the peer sends nothing more, so waiting is pointless. */
    void giveAll(ChannelHandlerContext ctx) {
        isRead = true;
        giveHeld(ctx);
    }

    /** This side has ended the session, so held frames are dropped. */
    void clear() {
        held.clear();
    }
}
