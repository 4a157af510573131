package org.freshet.handler.codec.http.websocketx;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.Channels;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;

/**
 * Performs the server's handshake of one WebSocket connection, and closes the connection.
 * {@link WebSocketServerHandshakerFactory} creates one for a request; {@link WebSocketServerProtocolHandler} does all of that
 * for you.
 *
 * <p>Call {@link #handshake} on the channel's I/O thread, in the handler that receives the request.
 */
public abstract class WebSocketServerHandshaker {
    /** In a list of sub-protocols: accepts the client's favorite. */
    public static final String SUB_PROTOCOL_WILDCARD = "*";

    /** Sends the cause of a failed handshake up the pipeline. */
    public static final ChannelFutureListener HANDSHAKE_LISTENER = future -> {
        if (!future.isSuccess()) {
            Channels.fireExceptionCaught(future.getChannel(), future.getCause());
        }
    };

    private final WebSocketVersion version;
    private final String webSocketUrl;
    private final Set<String> subprotocols;
    private final long maxFramePayloadLength;
    private final HttpLimits limits;

    private String selectedSubprotocol;

    /** True if a {@link WebSocketServerConfig} decides; false applies Netty 3's rules. */
    private boolean isConfigured;

    /** Limits frames to {@link HttpLimits#maxWebSocketFrameSize()} of the default limits. */
    protected WebSocketServerHandshaker(WebSocketVersion version, String webSocketUrl, String subprotocols) {
        this(version, webSocketUrl, subprotocols, HttpLimits.defaults().maxWebSocketFrameSize());
    }

    /**
     * @param webSocketUrl the URL used by clients; draft 00 sends it back
     * @param subprotocols the server's sub-protocols, separated by commas; null for none
     * @param maxFramePayloadLength the most bytes of content in a frame
     */
    protected WebSocketServerHandshaker(
            WebSocketVersion version, String webSocketUrl, String subprotocols, long maxFramePayloadLength) {
        this(version, webSocketUrl, subprotocols, maxFramePayloadLength, HttpLimits.defaults());
    }

    WebSocketServerHandshaker(
            WebSocketVersion version,
            String webSocketUrl,
            String subprotocols,
            long maxFramePayloadLength,
            HttpLimits limits) {
        this.version = version;
        this.webSocketUrl = webSocketUrl;
        List<String> names = split(subprotocols);
        this.subprotocols = names.isEmpty() ? Set.of() : Collections.unmodifiableSet(new LinkedHashSet<>(names));
        this.maxFramePayloadLength = maxFramePayloadLength;
        this.limits = limits;
    }

    private static List<String> split(String list) {
        if (list == null) {
            return List.of();
        }
        List<String> names = new ArrayList<>();
        for (String name : list.split(",")) {
            if (!name.isBlank()) {
                names.add(name.trim());
            }
        }
        return names;
    }

    public String getWebSocketUrl() {
        return webSocketUrl;
    }

    /** The server's sub-protocols, in the order given. Unmodifiable. */
    public Set<String> getSubprotocols() {
        return subprotocols;
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

    /**
     * Answers the request and switches the pipeline from HTTP to WebSocket. The pipeline needs an
     * {@link org.freshet.handler.codec.http.HttpServerCodec}, or an {@link org.freshet.handler.codec.http.HttpRequestDecoder}
     * and an {@link org.freshet.handler.codec.http.HttpResponseEncoder}. They are replaced by {@code wsdecoder} and
     * {@code wsencoder}, and an {@link org.freshet.handler.codec.http.HttpChunkAggregator} is removed. Bytes received after the
     * request are decoded as frames. Frames may be written as soon as this returns.
     *
     * @return completes when the answer is written
     * @throws WebSocketHandshakeException if the request is not a handshake of this version, or asks only for sub-protocols
     * that the server doesn't support; nothing has been written
     */
    public abstract ChannelFuture handshake(Channel channel, HttpRequest req);

    /** Writes a response with status 101 and replaces the HTTP handlers; see {@link #handshake}. */
    protected ChannelFuture writeHandshakeResponse(
            Channel channel, HttpResponse res, ChannelHandler encoder, ChannelHandler decoder) {
        return ServerUpgrade.complete(channel, res, encoder, decoder);
    }

    /**
     * Writes the frame, then closes the channel.
     *
     * @return completes when the frame is written
     */
    public abstract ChannelFuture close(Channel channel, CloseWebSocketFrame frame);

    /**
     * Chooses a sub-protocol. RFC 6455, section 4.2.2, leaves the choice to the server. Like Netty 3, this picks the client's
     * favorite; a server with a {@link WebSocketServerConfig} picks its own.
     *
     * @param requestedSubprotocols the client's sub-protocols, best first, separated by commas
     * @return the best one that both sides support, or null
     */
    protected String selectSubprotocol(String requestedSubprotocols) {
        if (subprotocols.isEmpty()) {
            return null;
        }
        List<String> requested = split(requestedSubprotocols);
        return isConfigured ? ownFavorite(requested) : clientsFavorite(requested);
    }

    private String clientsFavorite(List<String> requested) {
        for (String name : requested) {
            if (subprotocols.contains(name) || subprotocols.contains(SUB_PROTOCOL_WILDCARD)) {
                return name;
            }
        }
        return null;
    }

    private String ownFavorite(List<String> requested) {
        for (String name : subprotocols) {
            if (requested.contains(name)) {
                return name;
            }
            if (name.equals(SUB_PROTOCOL_WILDCARD) && !requested.isEmpty()) {
                return requested.get(0);
            }
        }
        return null;
    }

    /** The negotiated sub-protocol, or null. */
    public String getSelectedSubprotocol() {
        return selectedSubprotocol;
    }

    protected void setSelectedSubprotocol(String value) {
        selectedSubprotocol = value;
    }

    /**
     * Prefers the server's sub-protocols in their order, and continues without one if the client asks for none of them (RFC
     * 6455, section 4.2.2).
     */
    final void setConfigured() {
        isConfigured = true;
    }

    /** Answers the client's sub-protocols, if it sent any. */
    final void negotiateSubprotocol(HttpRequest request, HttpResponse response, String headerName) {
        List<String> requested = request.headers().getAll(headerName);
        if (requested.isEmpty()) {
            return;
        }
        String all = String.join(",", requested);
        String selected = selectSubprotocol(all);
        if (selected == null && isConfigured) {
            return;
        }
        if (selected == null) {
            throw new WebSocketHandshakeException("the server supports none of the requested sub-protocols: " + all);
        }
        response.headers().set(headerName, selected);
        setSelectedSubprotocol(selected);
    }

    static ChannelFuture writeAndClose(Channel channel, CloseWebSocketFrame frame) {
        ChannelFuture written = channel.write(frame);
        written.addListener(ChannelFutureListener.CLOSE);
        return written;
    }
}
