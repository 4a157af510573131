package org.freshet.channel;

/** Handles events that travel from the transport to the application. Extend {@link SimpleChannelUpstreamHandler} for most uses. */
public interface ChannelUpstreamHandler extends ChannelHandler {
    /**
     * Deals with an event, or passes it on by {@code ctx.sendUpstream(e)}. Runs on the channel's I/O thread unless an execution
     * handler moved the event; events of one channel come one at a time.
     *
     * @throws Exception anything; it comes back as an {@link ExceptionEvent}, unless {@code e} was one: then it is logged
     */
    void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception;
}
