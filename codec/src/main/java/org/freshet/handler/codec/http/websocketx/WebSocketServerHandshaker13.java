package org.freshet.handler.codec.http.websocketx;

import java.util.ArrayList;
import java.util.List;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.internal.WebSocketProof;

/** The server's side of the handshake of RFC 6455. */
public class WebSocketServerHandshaker13 extends WebSocketServerHandshaker {
    public static final String WEBSOCKET_13_ACCEPT_GUID = WebSocketProof.GUID;

    private final boolean allowExtensions;
    private final List<WebSocketExtensionNegotiator> negotiators;

    /** Limits frames to {@link org.freshet.handler.codec.http.HttpLimits#maxWebSocketFrameSize()} of the default limits. */
    public WebSocketServerHandshaker13(String webSocketURL, String subprotocols, boolean allowExtensions) {
        super(WebSocketVersion.V13, webSocketURL, subprotocols);
        this.allowExtensions = allowExtensions;
        this.negotiators = List.of();
    }

    /**
     * @param webSocketURL the URL used by clients; not needed by this version
     * @param subprotocols the server's sub-protocols, separated by commas; null for none
     * @param allowExtensions whether frames may have reserved bits set, for the application's own handlers
     * @param maxFramePayloadLength the most bytes of content in a frame
     */
    public WebSocketServerHandshaker13(
            String webSocketURL, String subprotocols, boolean allowExtensions, long maxFramePayloadLength) {
        super(WebSocketVersion.V13, webSocketURL, subprotocols, maxFramePayloadLength);
        this.allowExtensions = allowExtensions;
        this.negotiators = List.of();
    }

    /**
     * @param webSocketURL the URL used by clients; not needed by this version
     * @param subprotocols the server's sub-protocols, separated by commas; null for none
     * @param limits the limits of frames and messages
     * @param negotiators the extensions supported by the server; applied in the order of the client's offers
     */
    public WebSocketServerHandshaker13(
            String webSocketURL,
            String subprotocols,
            HttpLimits limits,
            List<WebSocketExtensionNegotiator> negotiators) {
        super(WebSocketVersion.V13, webSocketURL, subprotocols, limits.maxWebSocketFrameSize(), limits);
        this.allowExtensions = false;
        this.negotiators = List.copyOf(negotiators);
    }

    WebSocketServerHandshaker13(WebSocketServerConfig config) {
        this(config.path(), config.subprotocolList(), config.limits(), config.extensions());
        setConfigured();
    }

    @Override
    public ChannelFuture handshake(Channel channel, HttpRequest req) {
        HttpResponse response = HybiHandshake.respond(req);
        negotiateSubprotocol(req, response, Names.SEC_WEBSOCKET_PROTOCOL);
        List<WebSocketExtension> agreed = new ArrayList<>();
        try {
            negotiateExtensions(req, response, agreed);
            return writeHandshakeResponse(
                    channel,
                    response,
                    new WebSocket13FrameEncoder(false, agreed),
                    new WebSocket13FrameDecoder(true, allowExtensions, getMaxFramePayloadLength(), limits(), agreed));
        } catch (RuntimeException | Error failure) {
            agreed.forEach(WebSocketExtension::release); // no decoder does
            throw failure;
        }
    }

    /** Accepts the first acceptable offer of each extension, unless its reserved bits are already in use. */
    private void negotiateExtensions(HttpRequest request, HttpResponse response, List<WebSocketExtension> agreed) {
        if (negotiators.isEmpty()) {
            return;
        }
        List<String> answers = new ArrayList<>();
        List<WebSocketExtensionNegotiator> unused = new ArrayList<>(negotiators);
        int takenRsv = 0;
        for (WebSocketExtensionSpec offer :
                WebSocketExtensionSpec.parse(request.headers().getAll(HybiHandshake.EXTENSIONS))) {
            WebSocketExtensionNegotiator negotiator = named(offer.name(), unused);
            WebSocketExtensionNegotiator.Accepted accepted =
                    negotiator == null ? null : negotiator.accept(offer, limits());
            if (accepted == null) {
                continue;
            }
            if ((accepted.extension().rsv() & takenRsv) != 0) {
                accepted.extension().release();
                continue;
            }
            takenRsv |= accepted.extension().rsv();
            unused.remove(negotiator);
            agreed.add(accepted.extension());
            answers.add(accepted.answer().toString());
        }
        if (!answers.isEmpty()) {
            response.headers().set(HybiHandshake.EXTENSIONS, String.join(", ", answers));
        }
    }

    private static WebSocketExtensionNegotiator named(String name, List<WebSocketExtensionNegotiator> negotiators) {
        for (WebSocketExtensionNegotiator negotiator : negotiators) {
            if (negotiator.name().equals(name)) {
                return negotiator;
            }
        }
        return null;
    }

    @Override
    public ChannelFuture close(Channel channel, CloseWebSocketFrame frame) {
        return writeAndClose(channel, frame);
    }
}
