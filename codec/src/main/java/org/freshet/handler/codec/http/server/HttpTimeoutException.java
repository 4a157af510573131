package org.freshet.handler.codec.http.server;

import org.freshet.handler.codec.http.HttpFailure;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.timeout.TimeoutException;
import org.freshet.internal.PeerCaused;

/**
 * Thrown when a client takes longer to send a request, or a handler to answer it, than {@link HttpTimeoutHandler}
 * allows.
 */
@SuppressWarnings("exports") // PeerCaused is shared by Freshet's modules only
public class HttpTimeoutException extends TimeoutException implements HttpFailure, PeerCaused {
    private static final long serialVersionUID = 1L;

    private final transient HttpResponseStatus status;

    public HttpTimeoutException(String message) {
        this(message, HttpResponseStatus.REQUEST_TIMEOUT);
    }

    HttpTimeoutException(String message, HttpResponseStatus status) {
        super(message);
        this.status = status;
    }

    /** {@code 408 Request Timeout} for a client, {@code 503 Service Unavailable} for a handler. */
    @Override
    public HttpResponseStatus suggestedStatus() {
        return status == null ? HttpResponseStatus.REQUEST_TIMEOUT : status;
    }
}
