package org.freshet.channel;

/**
 * Handles requests on their way from the application to the transport. Usually you extend {@link SimpleChannelDownstreamHandler} instead.
 */
public interface ChannelDownstreamHandler extends ChannelHandler {
    /**
     * Handles a request, or passes it on with {@code ctx.sendDownstream(e)}. Called on the thread that made the request, so several threads
     * may call it at the same time.
     *
     * @throws Exception anything; it fails the event's future and goes up the pipeline as an {@link ExceptionEvent}
     */
    void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception;
}
