package org.freshet.handler.codec.http.websocketx;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.internal.WebSocketProof;

/** The server's side of the handshake of draft 07. */
public class WebSocketServerHandshaker07 extends WebSocketServerHandshaker {
    public static final String WEBSOCKET_07_ACCEPT_GUID = WebSocketProof.GUID;

    private final boolean allowExtensions;

    /**
     * @param webSocketURL the URL used by clients; not needed by this version
     * @param subprotocols the server's sub-protocols, separated by commas; null for none
     * @param allowExtensions whether frames may have reserved bits set, for the application's own handlers
     * @param maxFramePayloadLength the most bytes of content in a frame
     */
    public WebSocketServerHandshaker07(
            String webSocketURL, String subprotocols, boolean allowExtensions, long maxFramePayloadLength) {
        super(WebSocketVersion.V07, webSocketURL, subprotocols, maxFramePayloadLength);
        this.allowExtensions = allowExtensions;
    }

    @Override
    public ChannelFuture handshake(Channel channel, HttpRequest req) {
        HttpResponse response = HybiHandshake.respond(req);
        negotiateSubprotocol(req, response, Names.SEC_WEBSOCKET_PROTOCOL);

        return writeHandshakeResponse(
                channel,
                response,
                new WebSocket07FrameEncoder(false),
                new WebSocket07FrameDecoder(true, allowExtensions, getMaxFramePayloadLength()));
    }

    @Override
    public ChannelFuture close(Channel channel, CloseWebSocketFrame frame) {
        return writeAndClose(channel, frame);
    }
}
