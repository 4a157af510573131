package org.freshet.handler.codec.http.websocketx;

import java.util.List;
import org.freshet.channel.ChannelHandler;
import org.freshet.handler.codec.http.HttpLimits;

/** Decodes the {@link WebSocketFrame}s of RFC 6455; see {@link WebSocket08FrameDecoder}. */
@ChannelHandler.Borrower
public class WebSocket13FrameDecoder extends WebSocket08FrameDecoder {
    /** See {@link WebSocket08FrameDecoder#WebSocket08FrameDecoder(boolean, boolean)}. */
    public WebSocket13FrameDecoder(boolean maskedPayload, boolean allowExtensions) {
        super(maskedPayload, allowExtensions);
    }

    /** See {@link WebSocket08FrameDecoder#WebSocket08FrameDecoder(boolean, boolean, HttpLimits, List)}. */
    public WebSocket13FrameDecoder(
            boolean maskedPayload, boolean allowExtensions, HttpLimits limits, List<WebSocketExtension> extensions) {
        super(maskedPayload, allowExtensions, limits, extensions);
    }

    WebSocket13FrameDecoder(
            boolean maskedPayload,
            boolean allowExtensions,
            long maxFramePayloadLength,
            HttpLimits limits,
            List<WebSocketExtension> extensions) {
        super(maskedPayload, allowExtensions, maxFramePayloadLength, limits, extensions);
    }
    /** See {@link WebSocket08FrameDecoder#WebSocket08FrameDecoder(boolean, boolean, long)}. */
    public WebSocket13FrameDecoder(boolean maskedPayload, boolean allowExtensions, long maxFramePayloadLength) {
        super(maskedPayload, allowExtensions, maxFramePayloadLength);
    }
}
