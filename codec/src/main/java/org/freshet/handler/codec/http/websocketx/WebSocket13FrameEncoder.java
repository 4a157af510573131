package org.freshet.handler.codec.http.websocketx;

import java.util.List;

/** Encodes {@link WebSocketFrame}s for RFC 6455; see {@link WebSocket08FrameEncoder}. */
public class WebSocket13FrameEncoder extends WebSocket08FrameEncoder {
    /** @param maskPayload true on a client, false on a server */
    public WebSocket13FrameEncoder(boolean maskPayload) {
        super(maskPayload);
    }

    /**
     * @param maskPayload true on a client, false on a server
     * @param extensions the negotiated extensions, in the order of the server's answer
     */
    public WebSocket13FrameEncoder(boolean maskPayload, List<WebSocketExtension> extensions) {
        super(maskPayload, extensions);
    }
}
