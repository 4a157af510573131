package org.freshet.handler.codec.http.websocketx;

import java.net.URI;
import java.util.Map;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.CloseReason;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpResponse;

/**
 * Opens a WebSocket connection on the client's side, for one connection. {@link WebSocketClientHandshakerFactory} makes one for a
 * version; {@link WebSocketClientProtocolHandler} does all of that by itself.
 *
 * <p>Call {@link #handshake} once the channel is connected, and {@link #finishHandshake} on its I/O thread, in the handler that
 * receives the response.
 */
public abstract class WebSocketClientHandshaker {
    /** Sent with the request; null if there are none. */
    protected final Map<String, String> customHeaders;

    private final URI webSocketUrl;
    private final WebSocketVersion version;
    private final String expectedSubprotocol;
    private final long maxFramePayloadLength;
    private final HttpLimits limits;

    private volatile boolean handshakeComplete;
    private volatile String actualSubprotocol;

    /** As the other constructor, with {@link HttpLimits#maxWebSocketFrameSize()} of the default limits. */
    protected WebSocketClientHandshaker(
            URI webSocketUrl, WebSocketVersion version, String subprotocol, Map<String, String> customHeaders) {
        this(
                webSocketUrl,
                version,
                subprotocol,
                customHeaders,
                HttpLimits.defaults().maxWebSocketFrameSize());
    }

    /**
     * @param webSocketUrl of scheme {@code ws} or {@code wss}. The channel must be connected to it, and encrypt for {@code wss}.
     * @param subprotocol what this client speaks, best first, separated by commas; null for none
     * @param customHeaders sent with the request, in place of {@code Host} and the origin, too; may be null
     * @param maxFramePayloadLength bytes of a frame's content
     */
    protected WebSocketClientHandshaker(
            URI webSocketUrl,
            WebSocketVersion version,
            String subprotocol,
            Map<String, String> customHeaders,
            long maxFramePayloadLength) {
        this(webSocketUrl, version, subprotocol, customHeaders, maxFramePayloadLength, HttpLimits.defaults());
    }

    WebSocketClientHandshaker(
            URI webSocketUrl,
            WebSocketVersion version,
            String subprotocol,
            Map<String, String> customHeaders,
            long maxFramePayloadLength,
            HttpLimits limits) {
        this.webSocketUrl = webSocketUrl;
        this.version = version;
        this.expectedSubprotocol = subprotocol;
        this.customHeaders = customHeaders;
        this.maxFramePayloadLength = maxFramePayloadLength;
        this.limits = limits;
    }

    public URI getWebSocketUrl() {
        return webSocketUrl;
    }

    public WebSocketVersion getVersion() {
        return version;
    }

    public long getMaxFramePayloadLength() {
        return maxFramePayloadLength;
    }

    final HttpLimits limits() {
        return limits;
    }

    /** Whether {@link #finishHandshake} has accepted the response. Any thread may ask. */
    public boolean isHandshakeComplete() {
        return handshakeComplete;
    }

    protected void setHandshakeComplete() {
        handshakeComplete = true;
    }

    /** What the constructor was given. */
    public String getExpectedSubprotocol() {
        return expectedSubprotocol;
    }

    /** What the server has chosen; null before that, and if it has chosen none. Any thread may ask. */
    public String getActualSubprotocol() {
        return actualSubprotocol;
    }

    protected void setActualSubprotocol(String actualSubprotocol) {
        this.actualSubprotocol = actualSubprotocol;
    }

    /**
     * Writes the request. The pipeline has an {@link org.freshet.handler.codec.http.HttpClientCodec}, or an {@link
     * org.freshet.handler.codec.http.HttpRequestEncoder} and an {@link org.freshet.handler.codec.http.HttpResponseDecoder}.
     *
     * @return completes when the request is written; the response is still to come
     */
    public abstract ChannelFuture handshake(Channel channel) throws Exception;

    /**
     * Takes the response and turns the pipeline from HTTP to WebSocket: {@code ws-decoder} and {@code ws-encoder} come in the place
     * of HTTP's handlers, and an {@link org.freshet.handler.codec.http.HttpChunkAggregator} is removed. What the server has sent
     * behind the response is decoded as frames. From now on frames may be written.
     *
     * @throws WebSocketHandshakeException if the response is not the one that the request asked for; the channel is closed
     */
    public abstract void finishHandshake(Channel channel, HttpResponse response);

    /** Closes the channel unless the check passes. */
    static void closeUnless(Channel channel, Runnable check) {
        try {
            check.run();
        } catch (RuntimeException | Error failure) {
            channel.close(CloseReason.of(CloseReason.Kind.PROTOCOL, null, failure));
            throw failure;
        }
    }
}
