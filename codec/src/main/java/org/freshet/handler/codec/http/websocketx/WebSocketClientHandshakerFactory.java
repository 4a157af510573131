package org.freshet.handler.codec.http.websocketx;

import java.net.URI;
import java.util.Map;
import org.freshet.handler.codec.http.HttpLimits;

/** Makes the handshaker of a version. Stateless; any thread. */
public class WebSocketClientHandshakerFactory {
    public WebSocketClientHandshakerFactory() {}

    /** As the other method, with {@link HttpLimits#maxWebSocketFrameSize()} of the default limits. */
    public WebSocketClientHandshaker newHandshaker(
            URI webSocketURL,
            WebSocketVersion version,
            String subprotocol,
            boolean allowExtensions,
            Map<String, String> customHeaders) {
        long maxFrameBytes = HttpLimits.defaults().maxWebSocketFrameSize();
        return newHandshaker(webSocketURL, version, subprotocol, allowExtensions, customHeaders, maxFrameBytes);
    }

    /**
     * @param webSocketURL of scheme {@code ws} or {@code wss}
     * @param subprotocol what this client speaks, best first, separated by commas; null for none
     * @param allowExtensions whether the server may answer with extensions, and frames may have reserved bits set, for handlers
     *     of the application's
     * @param customHeaders sent with the request, in place of {@code Host} and the origin, too; may be null
     * @param maxFramePayloadLength bytes of a frame's content
     * @throws WebSocketHandshakeException if the version is {@link WebSocketVersion#UNKNOWN}
     */
    public WebSocketClientHandshaker newHandshaker(
            URI webSocketURL,
            WebSocketVersion version,
            String subprotocol,
            boolean allowExtensions,
            Map<String, String> customHeaders,
            long maxFramePayloadLength) {
        switch (version) {
            case V13:
                return new WebSocketClientHandshaker13(
                        webSocketURL, version, subprotocol, allowExtensions, customHeaders, maxFramePayloadLength);
            case V08:
                return new WebSocketClientHandshaker08(
                        webSocketURL, version, subprotocol, allowExtensions, customHeaders, maxFramePayloadLength);
            case V07:
                return new WebSocketClientHandshaker07(
                        webSocketURL, version, subprotocol, allowExtensions, customHeaders, maxFramePayloadLength);
            case V00:
                return new WebSocketClientHandshaker00(
                        webSocketURL, version, subprotocol, customHeaders, maxFramePayloadLength);
            default:
                throw new WebSocketHandshakeException("no client for this version of WebSocket: " + version);
        }
    }
}
