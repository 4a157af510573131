package org.freshet.handler.codec.spdy;

import java.util.ArrayDeque;
import java.util.Queue;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;

/**
 * What a session has received for the handlers above, which may not read. The channel is read on meanwhile: among the frames that follow are
 * those that open windows, for which a handler that stopped reading until its channel is writable may wait. Data that waits here isn't given
 * back to the peer's windows, so these bound it; beyond {@link #MAX_HELD} frames the channel isn't read either.
 *
 * <p>I/O thread only.
 */
final class SpdyInbox {
    /** Frames, whose headers have up to 16 KiB each. */
    static final int MAX_HELD = 256;

    private final SpdyCredit credit;
    private final Queue<MessageEvent> held = new ArrayDeque<>(2);

    /** Whether the handlers above read. */
    private boolean isRead = true;

    /** Whether handlers are being given what was held: what they do meanwhile must not begin that again. */
    private boolean isGiving;

    /** Whether the channel isn't read because too much is held. */
    private boolean isFull;

    SpdyInbox(SpdyCredit credit) {
        this.credit = credit;
    }

    boolean isEmpty() {
        return held.isEmpty();
    }

    /** A handler above wants to read, or not to read any more. */
    void request(ChannelHandlerContext ctx, ChannelStateEvent e) {
        isRead = (((Number) e.getValue()).intValue() & Channel.OP_READ) != 0;
        giveHeld(ctx);
        if (isRead && !isFull && !ctx.getChannel().isReadable()) {
            ctx.sendDownstream(e); // this side's other handlers have it not read
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

    /** The peer sends nothing more, so nothing is gained by waiting: handlers get what is held, whether they read or not. */
    void giveAll(ChannelHandlerContext ctx) {
        isRead = true;
        giveHeld(ctx);
    }

    /** This side has ended the session, and wants nothing more of it. */
    void clear() {
        held.clear();
    }
}
