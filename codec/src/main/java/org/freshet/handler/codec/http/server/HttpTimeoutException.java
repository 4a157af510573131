package org.freshet.handler.codec.http.server;

import org.freshet.handler.codec.http.HttpFailure;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.timeout.TimeoutException;

/** A client took longer to send a request than {@link HttpTimeoutHandler} allows. */
public class HttpTimeoutException extends TimeoutException implements HttpFailure {
    private static final long serialVersionUID = 1L;

    public HttpTimeoutException(String message) {
        super(message);
    }

    /** {@code 408 Request Timeout}. */
    @Override
    public HttpResponseStatus suggestedStatus() {
        return HttpResponseStatus.REQUEST_TIMEOUT;
    }
}
