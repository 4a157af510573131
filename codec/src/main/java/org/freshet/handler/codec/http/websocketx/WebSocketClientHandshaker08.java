package org.freshet.handler.codec.http.websocketx;

import java.net.URI;
import java.util.Map;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.internal.WebSocketProof;

/** The client's side of the handshake of draft 10, whose wire version is 8. */
public class WebSocketClientHandshaker08 extends WebSocketClientHandshaker {
    public static final String MAGIC_GUID = WebSocketProof.GUID;

    private final boolean allowExtensions;

    private String expectedAccept;

    /** Limits frames to {@link org.freshet.handler.codec.http.HttpLimits#maxWebSocketFrameSize()} of the default limits. */
    public WebSocketClientHandshaker08(
            URI webSocketURL,
            WebSocketVersion version,
            String subprotocol,
            boolean allowExtensions,
            Map<String, String> customHeaders) {
        super(webSocketURL, version, subprotocol, customHeaders);
        this.allowExtensions = allowExtensions;
    }

    /**
     * @param webSocketURL with the scheme {@code ws} or {@code wss}
     * @param version {@link WebSocketVersion#V08}
     * @param subprotocol the client's sub-protocols, best first, separated by commas; null for none
     * @param allowExtensions whether the server may answer with extensions, and frames may have reserved bits set, for the
     * application's own handlers
     * @param customHeaders added to the request, where they may replace {@code Host} and the origin; may be null
     * @param maxFramePayloadLength the most bytes of content in a frame
     */
    public WebSocketClientHandshaker08(
            URI webSocketURL,
            WebSocketVersion version,
            String subprotocol,
            boolean allowExtensions,
            Map<String, String> customHeaders,
            long maxFramePayloadLength) {
        super(webSocketURL, version, subprotocol, customHeaders, maxFramePayloadLength);
        this.allowExtensions = allowExtensions;
    }

    @Override
    public ChannelFuture handshake(Channel channel) throws Exception {
        String key = WebSocketUtil.base64(WebSocketUtil.randomBytes(16));
        expectedAccept = WebSocketProof.of(key);
        HttpRequest request = ClientUpgrade.request(getWebSocketUrl(), Names.SEC_WEBSOCKET_ORIGIN, customHeaders);
        HybiHandshake.ask(request, key, WebSocketVersion.V08, getExpectedSubprotocol());

        return channel.write(request);
    }

    @Override
    public void finishHandshake(Channel channel, HttpResponse response) {

        closeUnless(channel, () -> {
            HybiHandshake.check(response, expectedAccept);
            setActualSubprotocol(
                    ClientUpgrade.subprotocol(response, Names.SEC_WEBSOCKET_PROTOCOL, getExpectedSubprotocol()));
        });
        setHandshakeComplete();
        ClientUpgrade.complete(
                channel,
                new WebSocket08FrameEncoder(true),
                new WebSocket08FrameDecoder(false, allowExtensions, getMaxFramePayloadLength()));
    }
}
