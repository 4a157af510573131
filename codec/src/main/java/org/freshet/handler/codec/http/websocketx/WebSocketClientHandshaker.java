package org.freshet.handler.codec.http.websocketx;

import java.net.URI;
import java.util.Map;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.CloseReason;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpResponse;

/**
 * Performs the client's handshake of one WebSocket connection. {@link WebSocketClientHandshakerFactory} creates one for a given
 * version; {@link WebSocketClientProtocolHandler} does all of that for you.
 *
 * <p>Call {@link #handshake} once the channel is connected. Call {@link #finishHandshake} on its I/O thread, in the handler
 * that receives the response.
 */
public abstract class WebSocketClientHandshaker {
    /** Added to the request; may be null. */
    protected final Map<String, String> customHeaders;

    private final URI webSocketUrl;
    private final WebSocketVersion version;
    private final String expectedSubprotocol;
    private final long maxFramePayloadLength;
    private final HttpLimits limits;

    private volatile boolean handshakeComplete;
    private volatile String actualSubprotocol;

    /** Limits frames to {@link HttpLimits#maxWebSocketFrameSize()} of the default limits. */
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
     * @param webSocketUrl with the scheme {@code ws} or {@code wss}. The channel must be connected to its host, and {@code wss}
     * needs a TLS handler
     * @param subprotocol the client's sub-protocols, best first, separated by commas; null for none
     * @param customHeaders added to the request, where they may replace {@code Host} and the origin; may be null
     * @param maxFramePayloadLength the most bytes of content in a frame
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

    /** Whether {@link #finishHandshake} has accepted the response. Any thread may call this. */
    public boolean isHandshakeComplete() {
        return handshakeComplete;
    }

    protected void setHandshakeComplete() {
        handshakeComplete = true;
    }

    /** The sub-protocols given to the constructor. */
    public String getExpectedSubprotocol() {
        return expectedSubprotocol;
    }

    /** The sub-protocol chosen by the server; null before the handshake, and if it chose none. Any thread may call this. */
    public String getActualSubprotocol() {
        return actualSubprotocol;
    }

    protected void setActualSubprotocol(String actualSubprotocol) {
        this.actualSubprotocol = actualSubprotocol;
    }

    /**
     * Writes the request. The pipeline needs an {@link org.freshet.handler.codec.http.HttpClientCodec}, or an
     * {@link org.freshet.handler.codec.http.HttpRequestEncoder} and an
     * {@link org.freshet.handler.codec.http.HttpResponseDecoder}.
     *
     * @return completes when the request is written, before the response arrives
     */
    public abstract ChannelFuture handshake(Channel channel) throws Exception;

    /**
     * Checks the response and switches the pipeline from HTTP to WebSocket: {@code ws-decoder} and {@code ws-encoder} replace
     * the HTTP handlers, and an {@link org.freshet.handler.codec.http.HttpChunkAggregator} is removed. Bytes received after the
     * response are decoded as frames. From now on frames may be written.
     *
     * @throws WebSocketHandshakeException if the response does not match the request; the channel is closed
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
