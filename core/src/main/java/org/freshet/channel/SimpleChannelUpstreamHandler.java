package org.freshet.channel;

/**
 * An upstream handler with one method for each kind of event; override those you care about. All of them pass the event on by
 * default: an override that wants the next handler to see it too calls {@code super} or {@code ctx.sendUpstream(e)}.
 *
 * <pre>{@code
 * class Echo extends SimpleChannelUpstreamHandler {
 *     public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
 *         e.getChannel().write(e.getMessage());
 *     }
 * }
 * }</pre>
 *
 * <p>The methods run on the channel's I/O thread unless an execution handler moved the event. What they throw comes back as
 * {@link #exceptionCaught exceptionCaught}.
 */
public class SimpleChannelUpstreamHandler extends OwnableHandler implements ChannelUpstreamHandler, UpstreamMethods {
    public SimpleChannelUpstreamHandler() {}

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
}
