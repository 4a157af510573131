package org.freshet.handler.codec.http2;

import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpResponseStatus;

/** What the request of a stream asks for, as far as it affects the answer. */
enum Asked {
    ANYTHING,
    /** An answer without content. */
    HEAD,
    /** A tunnel, opened by a 2xx. */
    CONNECT,
    /** A tunnel, opened by a 101 for handlers and a 2xx on the wire. */
    WEB_SOCKET;

    /** Returns what a method asks for. WebSocket needs more than a method. */
    static Asked by(HttpMethod method) {
        if (HttpMethod.HEAD.equals(method)) {
            return HEAD;
        }
        return HttpMethod.CONNECT.equals(method) ? CONNECT : ANYTHING;
    }

    /** Whether an answer with that status has no content, whatever its fields say. */
    boolean hasNoContent(HttpResponseStatus status) {
        int code = status.getCode();
        return code == 204 || code == 205 || code == 304 || this == HEAD;
    }

    /** Whether an answer with a 2xx opens a tunnel. */
    boolean isTunnel() {
        return this == CONNECT || this == WEB_SOCKET;
    }
}
