package org.freshet.handler.codec.http.websocketx;

import java.net.URI;
import java.util.Map;
import org.freshet.handler.codec.http.HttpLimits;

/** Creates the client handshaker for a given version. Stateless; any thread. */
public class WebSocketClientHandshakerFactory {
    public WebSocketClientHandshakerFactory() {}

    /** Limits frames to {@link HttpLimits#maxWebSocketFrameSize()} of the default limits. */
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
     * @param webSocketURL with the scheme {@code ws} or {@code wss}
     * @param subprotocol the client's sub-protocols, best first, separated by commas; null for none
     * @param allowExtensions whether the server may answer with extensions, and frames may have reserved bits set, for the
     * application's own handlers
     * @param customHeaders added to the request, where they may replace {@code Host} and the origin; may be null
     * @param maxFramePayloadLength the most bytes of content in a frame
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
                throw new WebSocketHandshakeException("no WebSocket client for this version: " + version);
        }
    }
}
