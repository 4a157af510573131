package org.freshet.handler.codec.http.websocketx;

import java.util.List;

/** Encodes {@link WebSocketFrame}s as RFC 6455 has them; see {@link WebSocket08FrameEncoder}. */
public class WebSocket13FrameEncoder extends WebSocket08FrameEncoder {
    /** @param maskPayload whether this is a client's side */
    public WebSocket13FrameEncoder(boolean maskPayload) {
        super(maskPayload);
    }

    /**
     * @param maskPayload whether this is a client's side
     * @param extensions as agreed on, in the order of the server's answer
     */
    public WebSocket13FrameEncoder(boolean maskPayload, List<WebSocketExtension> extensions) {
        super(maskPayload, extensions);
    }
}
