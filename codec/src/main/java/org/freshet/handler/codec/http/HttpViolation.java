package org.freshet.handler.codec.http;

/**
 * Breaches of HTTP's grammar that {@link HttpLimits} may allow because some peers commit them. Each one that is allowed in
 * requests is a way in which two servers may read the same bytes differently; allow it only where no proxy is in front.
 */
public enum HttpViolation {
    /** A request of HTTP/1.1 without {@code Host} (RFC 9112 3.2 wants 400). */
    MISSING_HOST,

    /** Bytes past ASCII in a request's target; they become Latin-1 characters. */
    NON_ASCII_TARGET,

    /** A {@code #} in a request's target. */
    FRAGMENT_IN_TARGET,

    /** Lines of a request's head that end with LF alone. */
    LF_IN_REQUEST_HEAD,

    /** Lines of a response's head that end with LF alone. */
    LF_IN_RESPONSE_HEAD,

    /** Header lines of a request that go on in a line which begins with a blank; they are joined by one blank. */
    FOLDED_REQUEST_HEADERS,

    /** Header lines of a response that go on in a line which begins with a blank; they are joined by one blank. */
    FOLDED_RESPONSE_HEADERS,

    /** Several {@code Content-Length} headers of the same value. */
    EQUAL_CONTENT_LENGTHS,

    /**
     * {@code Content-Length} beside {@code Transfer-Encoding}. The former is removed, the latter frames the message, and
     * nothing behind the message is read.
     */
    LENGTH_BESIDE_TRANSFER_ENCODING,

    /**
     * The 8 bytes after a WebSocket handshake of draft 76, which states no length, are its content, as {@link
     * org.freshet.handler.codec.http.websocketx.WebSocketServerHandshaker00} needs it. A proxy in front takes them for the next
     * request, so any client can hide one there. No browser since 2012 speaks that draft.
     */
    DRAFT_76_HANDSHAKES,

    /**
     * An {@link HttpChunkAggregator} adds all trailers to the headers of the message, as Netty 3 does, but for those that frame,
     * route or authorize it. Any client can then set {@code X-Forwarded-For} and whatever else a proxy in front sets or removes.
     */
    TRAILERS_AS_HEADERS
}
