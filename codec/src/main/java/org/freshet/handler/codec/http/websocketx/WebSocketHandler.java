package org.freshet.handler.codec.http.websocketx;

import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.internal.ActsOn;

/**
 * A {@link SimpleChannelUpstreamHandler} with methods for the events of the WebSocket protocol handlers.
 *
 * <pre>{@code
 * class EchoHandler extends WebSocketHandler {
 *     @Override
 *     public void frameReceived(ChannelHandlerContext ctx, WebSocketFrame frame) {
 *         ctx.getChannel().write(frame);
 *     }
 *
 *     @Override
 *     public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
 *         e.getChannel().close();
 *     }
 * }
 * }</pre>
 *
 * <p>Its methods run on the thread that delivers upstream events.
 */
@ActsOn({})
public class WebSocketHandler extends SimpleChannelUpstreamHandler {
    public WebSocketHandler() {}

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (e instanceof WebSocketHandshakeEvent handshake) {
            webSocketOpened(ctx, handshake);
        } else if (e instanceof MessageEvent message && message.getMessage() instanceof WebSocketFrame frame) {
            frameReceived(ctx, frame);
        } else {
            super.handleUpstream(ctx, e);
        }
    }

    /** The handshake is done, and no frame has been received yet. Passes the event on by default. */
    public void webSocketOpened(ChannelHandlerContext ctx, WebSocketHandshakeEvent e) throws Exception {
        ctx.sendUpstream(e);
    }

    /**
     * A frame was received: text, binary or continuation, or a pong that answers none of the protocol handler's pings. Passes
     * it on by default.
     */
    public void frameReceived(ChannelHandlerContext ctx, WebSocketFrame frame) throws Exception {
        Channels.fireMessageReceived(ctx, frame);
    }
}
