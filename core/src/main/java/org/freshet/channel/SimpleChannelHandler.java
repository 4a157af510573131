package org.freshet.channel;

/**
 * A handler for both directions with one method for each kind of event: {@link SimpleChannelUpstreamHandler} and
 * {@link SimpleChannelDownstreamHandler} in one. All methods pass the event on by default.
 *
 * <p>Upstream methods run on the channel's I/O thread, downstream methods on the thread that made the request: state that both
 * touch needs its own protection.
 */
public class SimpleChannelHandler extends OwnableHandler
        implements ChannelUpstreamHandler, ChannelDownstreamHandler, UpstreamMethods, DownstreamMethods {
    public SimpleChannelHandler() {}

    /** Hands the event to the method of its kind; an event of an unknown kind is passed on. */
    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        UpstreamMethods.hand(this, ctx, e);
    }

    /** A message arrived; its type is what the handler before this one, or the transport, made of it. */
    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        ctx.sendUpstream(e);
    }

    /**
     * A handler, the sink or the transport failed. Passed on by default; a failure that no handler deals with is logged at the
     * end of the pipeline.
     */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) throws Exception {
        ctx.sendUpstream(e);
    }

    /** The channel exists now; it is neither bound nor connected. */
    @Override
    public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        ctx.sendUpstream(e);
    }

    /** The channel has a local address now. */
    @Override
    public void channelBound(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        ctx.sendUpstream(e);
    }

    /** The channel is connected to its peer now. */
    @Override
    public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        ctx.sendUpstream(e);
    }

    /** Reading was switched on or off, or the channel's writability turned. */
    @Override
    public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        ctx.sendUpstream(e);
    }

    /** The channel lost its peer. */
    @Override
    public void channelDisconnected(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        ctx.sendUpstream(e);
    }

    /** The channel gave up its local address. */
    @Override
    public void channelUnbound(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        ctx.sendUpstream(e);
    }

    /** The channel is closed and will not come back. The last event of a channel's life. */
    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        ctx.sendUpstream(e);
    }

    /** The transport has sent bytes. */
    @Override
    public void writeComplete(ChannelHandlerContext ctx, WriteCompletionEvent e) throws Exception {
        ctx.sendUpstream(e);
    }

    /** This server channel's child was opened. */
    @Override
    public void childChannelOpen(ChannelHandlerContext ctx, ChildChannelStateEvent e) throws Exception {
        ctx.sendUpstream(e);
    }

    /** This server channel's child was closed. */
    @Override
    public void childChannelClosed(ChannelHandlerContext ctx, ChildChannelStateEvent e) throws Exception {
        ctx.sendUpstream(e);
    }

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
