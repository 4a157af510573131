package org.freshet.handler.codec.http.websocketx;

import org.freshet.handler.codec.frame.TooLongFrameException;

/** Reports a received frame or message that exceeds its limit. */
public class TooLongWebSocketFrameException extends TooLongFrameException implements WebSocketFailure {
    private static final long serialVersionUID = 1L;

    public TooLongWebSocketFrameException(String message) {
        super(message);
    }

    /** 1009 */
    @Override
    public int closeCode() {
        return CloseBody.TOO_LONG;
    }
}
