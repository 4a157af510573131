package org.freshet.channel;

/** Handles events on their way from the transport to the application. Usually you extend {@link SimpleChannelUpstreamHandler} instead. */
public interface ChannelUpstreamHandler extends ChannelHandler {
    /**
     * Handles an event, or passes it on with {@code ctx.sendUpstream(e)}. Called on the channel's I/O thread unless an execution handler
     * moved the event; a channel's events are delivered one at a time.
     *
     * @throws Exception anything; it comes back as an {@link ExceptionEvent}, unless {@code e} is one: then it is logged
     */
    void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception;
}
