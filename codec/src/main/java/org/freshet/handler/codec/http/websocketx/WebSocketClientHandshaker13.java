package org.freshet.handler.codec.http.websocketx;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.internal.WebSocketProof;

/** The client's side of the handshake of RFC 6455. */
public class WebSocketClientHandshaker13 extends WebSocketClientHandshaker {
    public static final String MAGIC_GUID = WebSocketProof.GUID;

    private final boolean allowExtensions;
    private final List<WebSocketExtensionNegotiator> negotiators;
    private String expectedAccept;

    /** Limits frames to {@link org.freshet.handler.codec.http.HttpLimits#maxWebSocketFrameSize()} of the default limits. */
    public WebSocketClientHandshaker13(
            URI webSocketURL,
            WebSocketVersion version,
            String subprotocol,
            boolean allowExtensions,
            Map<String, String> customHeaders) {
        super(webSocketURL, version, subprotocol, customHeaders);
        this.allowExtensions = allowExtensions;
        this.negotiators = List.of();
    }

    /**
     * @param webSocketURL with the scheme {@code ws} or {@code wss}
     * @param version {@link WebSocketVersion#V13}
     * @param subprotocol the client's sub-protocols, best first, separated by commas; null for none
     * @param allowExtensions whether the server may answer with extensions, and frames may have reserved bits set, for the
     * application's own handlers
     * @param customHeaders added to the request, where they may replace {@code Host} and the origin; may be null
     * @param maxFramePayloadLength the most bytes of content in a frame
     */
    public WebSocketClientHandshaker13(
            URI webSocketURL,
            WebSocketVersion version,
            String subprotocol,
            boolean allowExtensions,
            Map<String, String> customHeaders,
            long maxFramePayloadLength) {
        super(webSocketURL, version, subprotocol, customHeaders, maxFramePayloadLength);
        this.allowExtensions = allowExtensions;
        this.negotiators = List.of();
    }

    /**
     * @param webSocketURL with the scheme {@code ws} or {@code wss}
     * @param subprotocol the client's sub-protocols, best first, separated by commas; null for none
     * @param customHeaders added to the request, where they may replace {@code Host} and the origin; may be null
     * @param limits the limits of frames and messages
     * @param negotiators the extensions to offer, best first
     */
    public WebSocketClientHandshaker13(
            URI webSocketURL,
            String subprotocol,
            Map<String, String> customHeaders,
            HttpLimits limits,
            List<WebSocketExtensionNegotiator> negotiators) {
        super(webSocketURL, WebSocketVersion.V13, subprotocol, customHeaders, limits.maxWebSocketFrameSize(), limits);
        this.allowExtensions = false;
        this.negotiators = List.copyOf(negotiators);
    }

    @Override
    public ChannelFuture handshake(Channel channel) throws Exception {
        String key = WebSocketUtil.base64(WebSocketUtil.randomBytes(16));
        expectedAccept = WebSocketProof.of(key);
        HttpRequest request = ClientUpgrade.request(getWebSocketUrl(), Names.ORIGIN, customHeaders);
        HybiHandshake.ask(request, key, WebSocketVersion.V13, getExpectedSubprotocol());
        List<String> offers = new ArrayList<>();
        negotiators.forEach(each -> each.offers().forEach(offer -> offers.add(offer.toString())));
        if (!offers.isEmpty()) {
            request.headers().set(HybiHandshake.EXTENSIONS, String.join(", ", offers));
        }
        return channel.write(request);
    }

    @Override
    public void finishHandshake(Channel channel, HttpResponse response) {
        List<WebSocketExtension> extensions = new ArrayList<>();
        try {
            closeUnless(channel, () -> check(response, extensions));
            setHandshakeComplete();
            ClientUpgrade.complete(
                    channel,
                    new WebSocket13FrameEncoder(true, extensions),
                    new WebSocket13FrameDecoder(
                            false, allowExtensions, getMaxFramePayloadLength(), limits(), extensions));
        } catch (RuntimeException | Error failure) {
            extensions.forEach(WebSocketExtension::release); // no decoder does
            throw failure;
        }
    }

    private void check(HttpResponse response, List<WebSocketExtension> extensions) {
        HybiHandshake.check(response, expectedAccept);
        setActualSubprotocol(
                ClientUpgrade.subprotocol(response, Names.SEC_WEBSOCKET_PROTOCOL, getExpectedSubprotocol()));
        if (!allowExtensions) {
            agree(response, extensions);
        }
    }

    private void agree(HttpResponse response, List<WebSocketExtension> extensions) {
        List<WebSocketExtensionNegotiator> unused = new ArrayList<>(negotiators);
        int takenRsv = 0;
        for (WebSocketExtensionSpec answer :
                WebSocketExtensionSpec.parse(response.headers().getAll(HybiHandshake.EXTENSIONS))) {
            WebSocketExtensionNegotiator negotiator = named(answer.name(), unused);
            if (negotiator == null) {
                throw new WebSocketHandshakeException("the server chose an extension that was not offered: " + answer);
            }
            unused.remove(negotiator);
            WebSocketExtension extension = negotiator.agree(answer, limits());
            extensions.add(extension);
            if ((extension.rsv() & takenRsv) != 0) {
                throw new WebSocketHandshakeException(
                        "the server chose two extensions that use the same reserved bit: " + answer);
            }
            takenRsv |= extension.rsv();
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
}
