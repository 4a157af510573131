package org.freshet.handler.codec.http;

/**
 * Violations of HTTP's grammar that some peers commit and {@link HttpLimits} can allow. Each violation allowed in
 * requests is a way for two servers to read the same bytes differently, so allow it only if there is no proxy in front.
 */
public enum HttpViolation {
    /** An HTTP/1.1 request without {@code Host} (RFC 9112 3.2 demands 400). */
    MISSING_HOST,

    /** Non-ASCII bytes in a request's target; they become Latin-1 characters. */
    NON_ASCII_TARGET,

    /** A {@code #} in a request's target. */
    FRAGMENT_IN_TARGET,

    /** Lines in a request's head that end with LF only. */
    LF_IN_REQUEST_HEAD,

    /** Lines in a response's head that end with LF only. */
    LF_IN_RESPONSE_HEAD,

    /** Request headers that continue on a line beginning with a blank. The lines are joined with one blank. */
    FOLDED_REQUEST_HEADERS,

    /** Response headers that continue on a line beginning with a blank. The lines are joined with one blank. */
    FOLDED_RESPONSE_HEADERS,

    /** Several {@code Content-Length} headers with the same value. */
    EQUAL_CONTENT_LENGTHS,

    /**
     * Both {@code Content-Length} and {@code Transfer-Encoding}. The former is removed, the latter frames the message,
     * and nothing after the message is read.
     */
    LENGTH_WITH_TRANSFER_ENCODING,

    /**
     * A WebSocket handshake of draft 76: the 8 bytes after it are its content, although no header gives their length.
     * {@link org.freshet.handler.codec.http.websocketx.WebSocketServerHandshaker00} needs this. A proxy in front takes
     * these bytes for the next request, so any client can hide one there. No browser has used that draft since 2012.
     */
    DRAFT_76_HANDSHAKES,

    /**
     * An {@link HttpChunkAggregator} adds all trailers to the headers of the message, as Netty 3 does, except for those
     * that frame, route or authorize it. Any client can then set {@code X-Forwarded-For} and anything else that a proxy
     * in front sets or removes.
     */
    TRAILERS_AS_HEADERS
}
