package org.freshet.handler.codec.http.websocketx;

import org.freshet.channel.ChannelHandler;

/** Decodes {@link WebSocketFrame}s as draft 07 has them, which is as later versions do; see {@link WebSocket08FrameDecoder}. */
@ChannelHandler.Borrower
public class WebSocket07FrameDecoder extends WebSocket08FrameDecoder {

    /** See {@link WebSocket08FrameDecoder#WebSocket08FrameDecoder(boolean, boolean, long)}. */
    public WebSocket07FrameDecoder(boolean maskedPayload, boolean allowExtensions, long maxFramePayloadLength) {
        super(maskedPayload, allowExtensions, maxFramePayloadLength);
    }
}
