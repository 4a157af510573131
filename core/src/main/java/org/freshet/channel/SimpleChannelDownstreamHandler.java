package org.freshet.channel;

/**
 * A downstream handler with one method for each kind of request; override those you care about. All of them pass the event on
 * by default: an override that wants the request to be carried out calls {@code super} or {@code ctx.sendDownstream(e)}, or
 * completes the event's future itself.
 *
 * <p>The methods run on the thread that made the request, which may be any. What they throw fails the event's future and comes
 * back up the pipeline as an {@link ExceptionEvent}.
 */
public class SimpleChannelDownstreamHandler extends OwnableHandler
        implements ChannelDownstreamHandler, DownstreamMethods {
    public SimpleChannelDownstreamHandler() {}

    /** Hands the event to the method of its kind; an event of an unknown kind is passed on. */
    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        DownstreamMethods.hand(this, ctx, e);
    }

    /** Somebody asks to write a message. */
    @Override
    public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        ctx.sendDownstream(e);
    }

    /** Somebody asks to bind the channel to the local address that is the event's value. */
    @Override
    public void bindRequested(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        ctx.sendDownstream(e);
    }

    /** Somebody asks to connect the channel to the address that is the event's value. */
    @Override
    public void connectRequested(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        ctx.sendDownstream(e);
    }

    /** Somebody asks to switch reading on or off; the event's value is the wanted interest. */
    @Override
    public void setInterestOpsRequested(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        ctx.sendDownstream(e);
    }

    /** Somebody asks to disconnect the channel. */
    @Override
    public void disconnectRequested(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        ctx.sendDownstream(e);
    }

    /** Somebody asks to unbind the channel. */
    @Override
    public void unbindRequested(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        ctx.sendDownstream(e);
    }

    /** Somebody asks to close the channel. */
    @Override
    public void closeRequested(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        ctx.sendDownstream(e);
    }
}
