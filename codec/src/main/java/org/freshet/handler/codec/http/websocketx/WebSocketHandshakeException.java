package org.freshet.handler.codec.http.websocketx;

import org.freshet.handler.codec.http.HttpFailure;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.internal.PeerCaused;

/** Reports a handshake that failed. A server answers with {@link #suggestedStatus()}. */
@SuppressWarnings("exports") // PeerCaused is internal to Freshet's modules
public class WebSocketHandshakeException extends RuntimeException implements HttpFailure, PeerCaused {
    private static final long serialVersionUID = 1L;

    private final transient HttpResponseStatus status;

    public WebSocketHandshakeException(String message) {
        this(message, (Throwable) null);
    }

    public WebSocketHandshakeException(String message, Throwable cause) {
        super(message, cause);
        status = HttpResponseStatus.BAD_REQUEST;
    }

    WebSocketHandshakeException(String message, HttpResponseStatus status) {
        super(message);
        this.status = status;
    }

    /** 400 unless the reason calls for another status, such as 403 for an origin that is not allowed. */
    @Override
    public HttpResponseStatus suggestedStatus() {
        return status == null ? HttpResponseStatus.BAD_REQUEST : status;
    }
}
