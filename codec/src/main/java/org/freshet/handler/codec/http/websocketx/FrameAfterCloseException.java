package org.freshet.handler.codec.http.websocketx;

import java.nio.channels.ClosedChannelException;

/** Fails a frame that is written after a close frame. The channel may still be open, to receive the peer's. */
final class FrameAfterCloseException extends ClosedChannelException {
    private static final long serialVersionUID = 1L;

    private final String frameType;

    FrameAfterCloseException(WebSocketFrame frame) {
        frameType = frame.getClass().getSimpleName();
    }

    @Override
    public String getMessage() {
        return "a close frame was sent or received: no " + frameType + " may follow it";
    }
}
