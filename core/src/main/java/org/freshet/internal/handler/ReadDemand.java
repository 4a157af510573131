package org.freshet.internal.handler;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;

/**
 * Whether the handlers above want to read, for a handler that holds received messages back while they don't. The channel can't tell: while
 * an earlier handler has suspended reading, {@link Channel#isReadable()} is false although the handlers above want to read, and their
 * request changes nothing and causes no event.
 *
 * <p>The handler passes each request to {@link #request}. It asks {@link #mustHold} before it holds anything, and {@link #mayContinue} at
 * each event that is not a message.
 *
 * <p>Any thread may call {@link #request}. The other methods belong to the thread of the channel's upstream events.
 */
public final class ReadDemand {
    private volatile boolean isPresent;

    /** Written before {@link #isPresent} is read, so that a request at the same time continues what is held. */
    private volatile boolean isHolding;

    /** For a handler that isn't in a pipeline yet. */
    public ReadDemand() {
        this(true);
    }

    private ReadDemand(boolean isPresent) {
        this.isPresent = isPresent;
    }

    /** For a handler that is being added: the handlers above may have suspended reading before. */
    public static ReadDemand at(ChannelHandlerContext ctx) {
        return new ReadDemand(!ctx.getPipeline().isAttached() || ReadSuspension.isWanted(ctx.getChannel()));
    }

    /** Passes a request to suspend or resume reading on. If it resumes what is held, a channelInterestChanged event follows. */
    public void request(ChannelHandlerContext ctx, ChannelStateEvent e) {
        boolean reads = (((Number) e.getValue()).intValue() & Channel.OP_READ) != 0;
        isPresent = reads;
        ctx.sendDownstream(e);
        if (reads && isHolding && ctx.getChannel().isOpen()) { // no event has come, or not yet
            Channels.fireChannelInterestChangedLater(ctx.getChannel());
        }
    }

    /** Returns true if the next message must be held. */
    public boolean mustHold() {
        isHolding = true;
        return !mayContinue();
    }

    /** Returns true if what is held may be passed on, at least the first message. */
    public boolean mayContinue() {
        boolean may = isPresent;
        if (may) {
            isHolding = false;
        }
        return may;
    }
}
