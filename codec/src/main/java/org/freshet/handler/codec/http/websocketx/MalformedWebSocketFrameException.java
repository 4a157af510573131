package org.freshet.handler.codec.http.websocketx;

import org.freshet.handler.codec.frame.CorruptedFrameException;

/** Reports a received frame that breaks the rules of the protocol, or content of the wrong kind. */
public class MalformedWebSocketFrameException extends CorruptedFrameException implements WebSocketFailure {
    private static final long serialVersionUID = 1L;

    private final int closeCode;

    /** A protocol error: close code 1002. */
    public MalformedWebSocketFrameException(String message) {
        this(CloseBody.PROTOCOL_ERROR, message);
    }

    /** @param closeCode a code that may be sent, such as 1007 for data of the wrong kind */
    public MalformedWebSocketFrameException(int closeCode, String message) {
        super(message);
        this.closeCode = closeCode;
    }

    @Override
    public int closeCode() {
        return closeCode;
    }
}
