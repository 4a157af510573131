package org.freshet.channel;

/**
 * Handles requests that travel from the application to the transport. Extend {@link SimpleChannelDownstreamHandler} for most
 * uses.
 */
public interface ChannelDownstreamHandler extends ChannelHandler {
    /**
     * Handles a request, or passes it on by {@code ctx.sendDownstream(e)}. Runs on the thread that made the request; several
     * threads may call at once.
     *
     * @throws Exception anything; it fails the event's future and goes up the pipeline as an {@link ExceptionEvent}
     */
    void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception;
}
