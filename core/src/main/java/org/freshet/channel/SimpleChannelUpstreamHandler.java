package org.freshet.channel;

/**
 * An upstream handler with one method per kind of event; override the ones you need. By default they all pass the event on. To let the next
 * handler see it, an override calls {@code super} or {@code ctx.sendUpstream(e)}.
 *
 * <pre>{@code
 * class Echo extends SimpleChannelUpstreamHandler {
 *     @Override
 *     public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
 *         ctx.getChannel().write(e.getMessage());
 *     }
 *
 *     // Stops reading while the peer does not read what it is sent.
 *     @Override
 *     public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
 *         ctx.getChannel().setReadable(ctx.getChannel().isWritable());
 *     }
 * }
 * }</pre>
 *
 * <p>The methods run on the channel's I/O thread unless an execution handler moved the event to another thread. If a method throws, the
 * exception comes back as {@link #exceptionCaught exceptionCaught}.
 */
public class SimpleChannelUpstreamHandler extends OwnableHandler implements ChannelUpstreamHandler, UpstreamMethods {
    public SimpleChannelUpstreamHandler() {}

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
}
