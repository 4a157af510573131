package org.freshet.handler.codec.http.websocketx;

import java.net.URI;
import java.util.Arrays;
import java.util.Map;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpHeaders.Values;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;

/** The client's side of the handshake of draft 00. */
public class WebSocketClientHandshaker00 extends WebSocketClientHandshaker {
    private static final int MAX_BLANKS = 12;

    private byte[] expectedProof;

    /** Limits frames to {@link org.freshet.handler.codec.http.HttpLimits#maxWebSocketFrameSize()} of the default limits. */
    public WebSocketClientHandshaker00(
            URI webSocketURL, WebSocketVersion version, String subprotocol, Map<String, String> customHeaders) {
        super(webSocketURL, version, subprotocol, customHeaders);
    }

    /**
     * @param webSocketURL with the scheme {@code ws} or {@code wss}
     * @param version {@link WebSocketVersion#V00}
     * @param subprotocol the client's sub-protocols, best first, separated by commas; null for none
     * @param customHeaders added to the request, where they may replace {@code Host} and {@code Origin}; may be null
     * @param maxFramePayloadLength the most bytes of content in a frame
     */
    public WebSocketClientHandshaker00(
            URI webSocketURL,
            WebSocketVersion version,
            String subprotocol,
            Map<String, String> customHeaders,
            long maxFramePayloadLength) {
        super(webSocketURL, version, subprotocol, customHeaders, maxFramePayloadLength);
    }

    @Override
    public ChannelFuture handshake(Channel channel) {
        String key1 = randomKey();
        String key2 = randomKey();
        byte[] eight = WebSocketUtil.randomBytes(Draft00Challenge.CLIENT_BYTES);
        expectedProof = Draft00Challenge.answer(key1, key2, eight);
        HttpRequest request = ClientUpgrade.request(getWebSocketUrl(), Names.ORIGIN, customHeaders);
        request.headers().set(Names.UPGRADE, Values.WEBSOCKET);
        request.headers().set(Names.SEC_WEBSOCKET_KEY1, key1);
        request.headers().set(Names.SEC_WEBSOCKET_KEY2, key2);
        if (getExpectedSubprotocol() != null && !getExpectedSubprotocol().isEmpty()) {
            request.headers().set(Names.SEC_WEBSOCKET_PROTOCOL, getExpectedSubprotocol());
        }
        HttpHeaders.setContentLength(request, eight.length); // not in the draft, but intermediaries need it
        request.setContent(ChannelBuffers.wrappedBuffer(eight));
        return channel.write(request);
    }

    /** A 32-bit number multiplied by its count of spaces, with the spaces and some other characters inserted. */
    private static String randomKey() {
        int blanks = WebSocketUtil.randomNumber(1, MAX_BLANKS);
        int number = WebSocketUtil.randomNumber(0, Integer.MAX_VALUE / blanks - 1);
        StringBuilder key = new StringBuilder(Integer.toString(number * blanks));
        for (int i = WebSocketUtil.randomNumber(1, MAX_BLANKS); i > 0; i--) {
            key.insert(WebSocketUtil.randomNumber(0, key.length()), (char) WebSocketUtil.randomNumber('A', 'Z'));
        }
        for (int i = blanks; i > 0; i--) {
            key.insert(WebSocketUtil.randomNumber(1, key.length() - 1), ' '); // a space at either end could get lost
        }
        return key.toString();
    }

    @Override
    public void finishHandshake(Channel channel, HttpResponse response) {
        closeUnless(channel, () -> {
            ClientUpgrade.check(response);
            ChannelBuffer content = response.getContent();
            byte[] proof = new byte[content.readableBytes()];
            content.getBytes(content.readerIndex(), proof);
            if (!Arrays.equals(proof, expectedProof)) {
                throw new WebSocketHandshakeException("the server did not answer the challenge correctly");
            }
            setActualSubprotocol(
                    ClientUpgrade.subprotocol(response, Names.SEC_WEBSOCKET_PROTOCOL, getExpectedSubprotocol()));
        });
        setHandshakeComplete();
        ClientUpgrade.complete(
                channel, new WebSocket00FrameEncoder(), new WebSocket00FrameDecoder(getMaxFramePayloadLength()));
    }
}
