package org.freshet.handler.codec.http.websocketx;

import java.nio.channels.ClosedChannelException;

/** Fails a frame written after a close frame. The channel may still be open to receive the peer's close frame. */
final class FrameAfterCloseException extends ClosedChannelException {
    private static final long serialVersionUID = 1L;

    private final String frameType;

    FrameAfterCloseException(WebSocketFrame frame) {
        frameType = frame.getClass().getSimpleName();
    }

    @Override
    public String getMessage() {
        return "cannot send a " + frameType + ": a close frame was already sent or received";
    }
}
