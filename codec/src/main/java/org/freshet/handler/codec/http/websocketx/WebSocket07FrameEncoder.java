package org.freshet.handler.codec.http.websocketx;

/** Encodes {@link WebSocketFrame}s as draft 07 has them, which is as later versions do. */
public class WebSocket07FrameEncoder extends WebSocket08FrameEncoder {
    /** @param maskPayload whether this is a client's side */
    public WebSocket07FrameEncoder(boolean maskPayload) {
        super(maskPayload);
    }
}
