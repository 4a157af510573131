package org.freshet.channel;

/**
 * A downstream handler with one method per kind of request; override the ones you need. By default they all pass the event on. To have the
 * request carried out, an override calls {@code super} or {@code ctx.sendDownstream(e)}, or completes the event's future itself.
 *
 * <p>The methods run on the thread that made the request, which can be any thread. If a method throws, the event's future fails, and the
 * exception comes back up the pipeline as an {@link ExceptionEvent}.
 */
public class SimpleChannelDownstreamHandler extends OwnableHandler
        implements ChannelDownstreamHandler, DownstreamMethods {
    public SimpleChannelDownstreamHandler() {}

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
