package org.freshet.channel;

/**
 * A handler for both directions with one method for each kind of event: {@link SimpleChannelUpstreamHandler} and
 * {@link SimpleChannelDownstreamHandler} in one. All methods pass the event on by default.
 *
 * <p>Upstream methods run on the channel's I/O thread, downstream methods on the thread that made the request: state that both
 * use needs synchronization.
 */
public class SimpleChannelHandler extends SimpleChannelUpstreamHandler
        implements ChannelDownstreamHandler, DownstreamMethods {
    public SimpleChannelHandler() {}

    /** Calls the method for the event's kind; an event of an unknown kind is passed on. */
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

    /** A request to suspend or resume reading; the event's value is the wanted interest. */
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
