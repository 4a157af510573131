package org.freshet.handler.codec.http.websocketx;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.internal.WebSocketProof;

/** The server's side of the handshake of draft 10, whose wire version is 8. */
public class WebSocketServerHandshaker08 extends WebSocketServerHandshaker {
    public static final String WEBSOCKET_08_ACCEPT_GUID = WebSocketProof.GUID;

    private final boolean allowExtensions;

    /** Limits frames to {@link org.freshet.handler.codec.http.HttpLimits#maxWebSocketFrameSize()} of the default limits. */
    public WebSocketServerHandshaker08(String webSocketURL, String subprotocols, boolean allowExtensions) {
        super(WebSocketVersion.V08, webSocketURL, subprotocols);
        this.allowExtensions = allowExtensions;
    }

    /**
     * @param webSocketURL the URL used by clients; not needed by this version
     * @param subprotocols the server's sub-protocols, separated by commas; null for none
     * @param allowExtensions whether frames may have reserved bits set, for the application's own handlers
     * @param maxFramePayloadLength the most bytes of content in a frame
     */
    public WebSocketServerHandshaker08(
            String webSocketURL, String subprotocols, boolean allowExtensions, long maxFramePayloadLength) {
        super(WebSocketVersion.V08, webSocketURL, subprotocols, maxFramePayloadLength);
        this.allowExtensions = allowExtensions;
    }

    @Override
    public ChannelFuture handshake(Channel channel, HttpRequest req) {
        HttpResponse response = HybiHandshake.respond(req);
        negotiateSubprotocol(req, response, Names.SEC_WEBSOCKET_PROTOCOL);

        return writeHandshakeResponse(
                channel,
                response,
                new WebSocket08FrameEncoder(false),
                new WebSocket08FrameDecoder(true, allowExtensions, getMaxFramePayloadLength()));
    }

    @Override
    public ChannelFuture close(Channel channel, CloseWebSocketFrame frame) {
        return writeAndClose(channel, frame);
    }
}
