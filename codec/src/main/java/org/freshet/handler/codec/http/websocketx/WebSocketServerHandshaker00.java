package org.freshet.handler.codec.http.websocketx;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpHeaders.Values;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;

/**
 * The server's side of the handshake of draft 00, and of its predecessor hixie-75, whose requests have no keys. The answer
 * contains the URL given to the handshaker and the request's origin.
 *
 * <p>Requests of draft 00 don't declare the length of their 8 bytes of content. Unless
 * {@link org.freshet.handler.codec.http.HttpViolation#DRAFT_76_HANDSHAKES} is allowed, the HTTP decoder takes these bytes for
 * the next request.
 */
public class WebSocketServerHandshaker00 extends WebSocketServerHandshaker {
    private static final HttpResponseStatus HIXIE_76 = new HttpResponseStatus(101, "WebSocket Protocol Handshake");
    private static final HttpResponseStatus HIXIE_75 = new HttpResponseStatus(101, "Web Socket Protocol Handshake");

    /** Limits frames to {@link org.freshet.handler.codec.http.HttpLimits#maxWebSocketFrameSize()} of the default limits. */
    public WebSocketServerHandshaker00(String webSocketURL, String subprotocols) {
        super(WebSocketVersion.V00, webSocketURL, subprotocols);
    }

    /**
     * @param webSocketURL the URL used by clients
     * @param subprotocols the server's sub-protocols, separated by commas; null for none
     * @param maxFramePayloadLength the most bytes of content in a frame
     */
    public WebSocketServerHandshaker00(String webSocketURL, String subprotocols, long maxFramePayloadLength) {
        super(WebSocketVersion.V00, webSocketURL, subprotocols, maxFramePayloadLength);
    }

    @Override
    public ChannelFuture handshake(Channel channel, HttpRequest req) {
        ServerUpgrade.check(req);
        boolean hasKeys = req.headers().contains(Names.SEC_WEBSOCKET_KEY1)
                && req.headers().contains(Names.SEC_WEBSOCKET_KEY2);
        HttpResponse response = hasKeys ? hixie76(req) : hixie75(req);
        return writeHandshakeResponse(
                channel,
                response,
                new WebSocket00FrameEncoder(),
                new WebSocket00FrameDecoder(getMaxFramePayloadLength()));
    }

    private HttpResponse hixie76(HttpRequest request) {
        ChannelBuffer clientBytes = request.getContent();
        if (clientBytes.readableBytes() != Draft00Challenge.CLIENT_BYTES) {
            throw new WebSocketHandshakeException(
                    "a WebSocket draft 00 request must have 8 bytes of content, not " + clientBytes.readableBytes());
        }
        byte[] eight = new byte[Draft00Challenge.CLIENT_BYTES];
        clientBytes.getBytes(clientBytes.readerIndex(), eight);
        byte[] proof = Draft00Challenge.answer(
                request.headers().get(Names.SEC_WEBSOCKET_KEY1),
                request.headers().get(Names.SEC_WEBSOCKET_KEY2),
                eight);
        HttpResponse response = response(HIXIE_76);
        response.headers().set(Names.SEC_WEBSOCKET_ORIGIN, origin(request));
        response.headers().set(Names.SEC_WEBSOCKET_LOCATION, getWebSocketUrl());
        negotiateSubprotocol(request, response, Names.SEC_WEBSOCKET_PROTOCOL);
        response.setContent(ChannelBuffers.wrappedBuffer(proof));
        return response;
    }

    private HttpResponse hixie75(HttpRequest request) {
        ServerUpgrade.checkNoContent(request);
        HttpResponse response = response(HIXIE_75);
        response.headers().set(Names.WEBSOCKET_ORIGIN, origin(request));
        response.headers().set(Names.WEBSOCKET_LOCATION, getWebSocketUrl());
        negotiateSubprotocol(request, response, Names.WEBSOCKET_PROTOCOL);
        return response;
    }

    private static HttpResponse response(HttpResponseStatus status) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
        response.headers().set(Names.UPGRADE, Values.WEBSOCKET);
        response.headers().set(Names.CONNECTION, Values.UPGRADE);
        return response;
    }

    /** Browsers always send an origin. */
    private static String origin(HttpRequest request) {
        String origin = request.headers().get(Names.ORIGIN);
        if (origin == null) {
            throw new WebSocketHandshakeException("WebSocket draft 00 request without Origin");
        }
        return origin;
    }

    @Override
    public ChannelFuture close(Channel channel, CloseWebSocketFrame frame) {
        return writeAndClose(channel, frame);
    }
}
