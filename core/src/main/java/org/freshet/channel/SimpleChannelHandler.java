package org.freshet.channel;

/**
 * A handler for both directions with one method per kind of event: {@link SimpleChannelUpstreamHandler} and
 * {@link SimpleChannelDownstreamHandler} in one. By default all methods pass the event on.
 *
 * <p>Upstream methods run on the channel's I/O thread, downstream methods on the thread that made the request. State used by both needs
 * synchronization.
 */
public class SimpleChannelHandler extends OwnableHandler
        implements ChannelUpstreamHandler, ChannelDownstreamHandler, UpstreamMethods, DownstreamMethods {
    public SimpleChannelHandler() {}

    /** Calls the method for the event's kind; passes on events of unknown kinds. */
    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        UpstreamMethods.hand(this, ctx, e);
    }

    /** A message was received; its type depends on the handlers before this one, or on the transport. */
    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        ctx.sendUpstream(e);
    }

    /**
     * A handler, the sink or the transport failed. Passed on by default; if no handler handles it, it is logged at the end of the pipeline.
     */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) throws Exception {
        ctx.sendUpstream(e);
    }

    /** The channel was created; it is neither bound nor connected. */
    @Override
    public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        ctx.sendUpstream(e);
    }

    /** The channel was bound to a local address. */
    @Override
    public void channelBound(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        ctx.sendUpstream(e);
    }

    /** The channel was connected to its peer. */
    @Override
    public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        ctx.sendUpstream(e);
    }

    /** Reading was suspended or resumed, or the channel's writability changed. */
    @Override
    public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        ctx.sendUpstream(e);
    }

    /** The channel was disconnected. */
    @Override
    public void channelDisconnected(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        ctx.sendUpstream(e);
    }

    /** The channel was unbound. */
    @Override
    public void channelUnbound(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        ctx.sendUpstream(e);
    }

    /** The channel was closed, permanently. No event follows. */
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

    /** The peer has ended its output, on a channel that {@linkplain ChannelOption#ALLOW_HALF_CLOSURE allows} it. */
    @Override
    public void inputShutdown(ChannelHandlerContext ctx, InputShutdownEvent e) throws Exception {
        ctx.sendUpstream(e);
    }

    /** Calls the method for the event's kind; passes on events of unknown kinds. */
    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        DownstreamMethods.hand(this, ctx, e);
    }

    /** A request to write a message. */
    @Override
    public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        ctx.sendDownstream(e);
    }

    /** A request to bind the channel; the event's value is the local address. */
    @Override
    public void bindRequested(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        ctx.sendDownstream(e);
    }

    /** A request to connect the channel; the event's value is the remote address. */
    @Override
    public void connectRequested(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        ctx.sendDownstream(e);
    }

    /** A request to suspend or resume reading; the event's value is the requested interest. */
    @Override
    public void setInterestOpsRequested(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        ctx.sendDownstream(e);
    }

    /** A request to disconnect the channel. */
    @Override
    public void disconnectRequested(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        ctx.sendDownstream(e);
    }

    /** A request to unbind the channel. */
    @Override
    public void unbindRequested(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        ctx.sendDownstream(e);
    }

    /** A request to close the channel. */
    @Override
    public void closeRequested(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        ctx.sendDownstream(e);
    }
}
