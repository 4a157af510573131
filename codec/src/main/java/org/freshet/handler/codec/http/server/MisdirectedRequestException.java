package org.freshet.handler.codec.http.server;

import org.freshet.handler.codec.http.HttpFailure;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.internal.PeerCaused;

/** A request is for a name that another certificate serves than the one its connection was made with. */
final class MisdirectedRequestException extends Exception implements HttpFailure, PeerCaused {
    /** Unknown to Netty 3, whose statuses are those of {@link HttpResponseStatus}. */
    private static final HttpResponseStatus MISDIRECTED_REQUEST = new HttpResponseStatus(421, "Misdirected Request");

    private static final long serialVersionUID = 1L;

    MisdirectedRequestException(String message) {
        super(message, null, false, false); // the stack says nothing about the client
    }

    @Override
    public HttpResponseStatus suggestedStatus() {
        return MISDIRECTED_REQUEST;
    }
}
