package org.freshet.handler.codec.http.websocketx;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;

/** Creates the server handshaker for a request's version. Immutable; any thread. */
public class WebSocketServerHandshakerFactory {
    private final String webSocketURL;
    private final String subprotocols;
    private final boolean allowExtensions;
    private final long maxFramePayloadLength;

    /** Limits frames to {@link HttpLimits#maxWebSocketFrameSize()} of the default limits. */
    public WebSocketServerHandshakerFactory(String webSocketURL, String subprotocols, boolean allowExtensions) {
        this(webSocketURL, subprotocols, allowExtensions, HttpLimits.defaults().maxWebSocketFrameSize());
    }

    /**
     * @param webSocketURL the URL used by clients; draft 00 sends it back
     * @param subprotocols the server's sub-protocols, separated by commas; null for none
     * @param allowExtensions whether frames may have reserved bits set, for the application's own handlers
     * @param maxFramePayloadLength the most bytes of content in a frame
     */
    public WebSocketServerHandshakerFactory(
            String webSocketURL, String subprotocols, boolean allowExtensions, long maxFramePayloadLength) {
        this.webSocketURL = webSocketURL;
        this.subprotocols = subprotocols;
        this.allowExtensions = allowExtensions;
        this.maxFramePayloadLength = maxFramePayloadLength;
    }

    /**
     * Creates a handshaker for the request's {@code Sec-WebSocket-Version}. Without that header, it is draft 00.
     *
     * @return null if the version is unknown: answer with {@link #sendUnsupportedWebSocketVersionResponse}
     */
    public WebSocketServerHandshaker newHandshaker(HttpRequest req) {
        String version = req.headers().get(Names.SEC_WEBSOCKET_VERSION);
        if (version == null) {
            return new WebSocketServerHandshaker00(webSocketURL, subprotocols, maxFramePayloadLength);
        }
        switch (version.trim()) {
            case "13":
                return new WebSocketServerHandshaker13(
                        webSocketURL, subprotocols, allowExtensions, maxFramePayloadLength);
            case "8":
                return new WebSocketServerHandshaker08(
                        webSocketURL, subprotocols, allowExtensions, maxFramePayloadLength);
            case "7":
                return new WebSocketServerHandshaker07(
                        webSocketURL, subprotocols, allowExtensions, maxFramePayloadLength);
            default:
                return null;
        }
    }

    /**
     * Answers with 426 and the version that this server supports.
     *
     * @return completes when the answer is written
     */
    public ChannelFuture sendUnsupportedWebSocketVersionResponse(Channel channel) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.UPGRADE_REQUIRED);
        response.headers().set(Names.SEC_WEBSOCKET_VERSION, WebSocketVersion.V13.toHttpHeaderValue());
        HttpHeaders.setContentLength(response, 0);
        return channel.write(response);
    }
}
