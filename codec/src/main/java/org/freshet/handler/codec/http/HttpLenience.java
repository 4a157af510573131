package org.freshet.handler.codec.http;

/**
 * Breaches of HTTP's grammar that {@link HttpLimits} may allow because some peers commit them. Each one that is allowed in
 * requests is a way in which two servers may read the same bytes differently; allow it only where no proxy is in front.
 */
public enum HttpLenience {
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
    LENGTH_BESIDE_TRANSFER_ENCODING
}
