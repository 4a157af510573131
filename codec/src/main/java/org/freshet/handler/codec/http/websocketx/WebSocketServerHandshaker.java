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
 * Opens and closes a WebSocket connection on the server's side, for one connection. {@link WebSocketServerHandshakerFactory}
 * makes one for a request; {@link WebSocketServerProtocolHandler} does all of that by itself.
 *
 * <p>Call {@link #handshake} on the channel's I/O thread, in the handler that receives the request.
 */
public abstract class WebSocketServerHandshaker {
    /** In a list of sub-protocols: whichever the client asks for first. */
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

    /** Whether a {@link WebSocketServerConfig} has the last word, rather than the rules of Netty 3. */
    private boolean isConfigured;

    /** As the other constructor, with {@link HttpLimits#maxWebSocketFrameSize()} of the default limits. */
    protected WebSocketServerHandshaker(WebSocketVersion version, String webSocketUrl, String subprotocols) {
        this(version, webSocketUrl, subprotocols, HttpLimits.defaults().maxWebSocketFrameSize());
    }

    /**
     * @param webSocketUrl as the client knows it; draft 00 sends it back
     * @param subprotocols what this server speaks, separated by commas; null for none
     * @param maxFramePayloadLength bytes of a frame's content
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

    /** What this server speaks, in the order given. Cannot be changed. */
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
     * Answers the request and turns the pipeline from HTTP to WebSocket. The pipeline has an {@link
     * org.freshet.handler.codec.http.HttpServerCodec}, or an {@link org.freshet.handler.codec.http.HttpRequestDecoder} and an
     * {@link org.freshet.handler.codec.http.HttpResponseEncoder}; in their place come {@code wsdecoder} and {@code wsencoder},
     * and an {@link org.freshet.handler.codec.http.HttpChunkAggregator} is removed. What the client has sent behind the
     * request is decoded as frames. Frames may be written as soon as this returns.
     *
     * @return completes when the answer is written
     * @throws WebSocketHandshakeException if the request is none for this version, or asks for sub-protocols of which the server
     *     speaks none; nothing was written
     */
    public abstract ChannelFuture handshake(Channel channel, HttpRequest req);

    /** Writes a response of 101 and puts the handlers in the place of HTTP's; see {@link #handshake}. */
    protected ChannelFuture writeHandshakeResponse(
            Channel channel, HttpResponse res, ChannelHandler encoder, ChannelHandler decoder) {
        return ServerUpgrade.complete(channel, res, encoder, decoder);
    }

    /**
     * Writes the frame, and closes the channel once it is written.
     *
     * @return completes when the frame is written
     */
    public abstract ChannelFuture close(Channel channel, CloseWebSocketFrame frame);

    /**
     * Chooses a sub-protocol. RFC 6455, section 4.2.2, leaves the choice among the client's to the server. Like Netty 3, this takes the
     * client's favorite; a server with a {@link WebSocketServerConfig} takes its own.
     *
     * @param requestedSubprotocols what the client speaks, best first, separated by commas
     * @return the best that both sides speak; null if there is none
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

    /** What was agreed on during the handshake; null if nothing was. */
    public String getSelectedSubprotocol() {
        return selectedSubprotocol;
    }

    protected void setSelectedSubprotocol(String value) {
        selectedSubprotocol = value;
    }

    /**
     * Prefers the sub-protocols of this server in their order, and goes on without one where the client asks for none of them (RFC 6455,
     * section 4.2.2).
     */
    final void setConfigured() {
        isConfigured = true;
    }

    /** Answers what the client asked for, if it did. */
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
            throw new WebSocketHandshakeException("the server speaks none of the sub-protocols asked for: " + all);
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
