package org.freshet.handler.codec.http.server;

import org.freshet.handler.codec.http.HttpFailure;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.internal.PeerCaused;

/** Thrown for a request for a name with another certificate than the one its connection uses. */
final class MisdirectedRequestException extends Exception implements HttpFailure, PeerCaused {
    /** Unknown to Netty 3, and {@link HttpResponseStatus} has the same constants as Netty 3. */
    private static final HttpResponseStatus MISDIRECTED_REQUEST = new HttpResponseStatus(421, "Misdirected Request");

    private static final long serialVersionUID = 1L;

    MisdirectedRequestException(String message) {
        super(message, null, false, false); // a stack trace says nothing about the client
    }

    @Override
    public HttpResponseStatus suggestedStatus() {
        return MISDIRECTED_REQUEST;
    }
}
