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

    /** With frames of up to {@link org.freshet.handler.codec.http.HttpLimits#maxWebSocketFrameSize()}. */
    public WebSocketClientHandshaker00(
            URI webSocketURL, WebSocketVersion version, String subprotocol, Map<String, String> customHeaders) {
        super(webSocketURL, version, subprotocol, customHeaders);
    }

    /**
     * @param webSocketURL of scheme {@code ws} or {@code wss}
     * @param version {@link WebSocketVersion#V00}
     * @param subprotocol what this client speaks, best first, separated by commas; null for none
     * @param customHeaders sent with the request, in place of {@code Host} and {@code Origin}, too; may be null
     * @param maxFramePayloadLength bytes of a frame's content
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
        HttpHeaders.setContentLength(request, eight.length); // not in the draft, but what is between needs it
        request.setContent(ChannelBuffers.wrappedBuffer(eight));
        return channel.write(request);
    }

    /** A number of 32 bits times its number of blanks, with the blanks and some other characters strewn in. */
    private static String randomKey() {
        int blanks = WebSocketUtil.randomNumber(1, MAX_BLANKS);
        int number = WebSocketUtil.randomNumber(0, Integer.MAX_VALUE / blanks - 1);
        StringBuilder key = new StringBuilder(Integer.toString(number * blanks));
        for (int i = WebSocketUtil.randomNumber(1, MAX_BLANKS); i > 0; i--) {
            key.insert(WebSocketUtil.randomNumber(0, key.length()), (char) WebSocketUtil.randomNumber('A', 'Z'));
        }
        for (int i = blanks; i > 0; i--) {
            key.insert(WebSocketUtil.randomNumber(1, key.length() - 1), ' '); // a blank at an end could get lost
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
                throw new WebSocketHandshakeException("the server did not solve the challenge");
            }
            setActualSubprotocol(
                    ClientUpgrade.subprotocol(response, Names.SEC_WEBSOCKET_PROTOCOL, getExpectedSubprotocol()));
        });
        setHandshakeComplete();
        ClientUpgrade.complete(
                channel, new WebSocket00FrameEncoder(), new WebSocket00FrameDecoder(getMaxFramePayloadLength()));
    }
}
