package org.freshet.handler.codec.http.websocketx;

/** Encodes {@link WebSocketFrame}s for draft 07, whose format is the same as in later versions. */
public class WebSocket07FrameEncoder extends WebSocket08FrameEncoder {
    /** @param maskPayload true on a client, false on a server */
    public WebSocket07FrameEncoder(boolean maskPayload) {
        super(maskPayload);
    }
}
