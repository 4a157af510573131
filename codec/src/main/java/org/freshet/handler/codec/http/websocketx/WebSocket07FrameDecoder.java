package org.freshet.handler.codec.http.websocketx;

import org.freshet.channel.ChannelHandler;

/**
 * Decodes the {@link WebSocketFrame}s of draft 07, whose format is the same as in later versions; see
 * {@link WebSocket08FrameDecoder}.
 */
@ChannelHandler.Borrower
public class WebSocket07FrameDecoder extends WebSocket08FrameDecoder {

    /** See {@link WebSocket08FrameDecoder#WebSocket08FrameDecoder(boolean, boolean, long)}. */
    public WebSocket07FrameDecoder(boolean maskedPayload, boolean allowExtensions, long maxFramePayloadLength) {
        super(maskedPayload, allowExtensions, maxFramePayloadLength);
    }
}
