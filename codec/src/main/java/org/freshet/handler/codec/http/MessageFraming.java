package org.freshet.handler.codec.http;

import org.freshet.handler.codec.http.HeadFacts.Coding;

/**
 * Decides how a message's content is delimited (RFC 9112 6.3). Nothing else decides that. It uses the facts that the
 * parser found, never headers that may have been changed.
 *
 * <p>Immutable; any thread may use it.
 */
final class MessageFraming {
    enum Body {
        /** No content. */
        NONE,
        /** The number of bytes given by {@code Content-Length}. */
        LENGTH,
        CHUNKED,
        /** Everything until the peer closes. */
        UNTIL_CLOSE,
        /** The client's WebSocket handshake of draft 76, without a length: 8 bytes, if allowed. */
        DRAFT76_REQUEST,
        /** The server's WebSocket handshake of draft 76: 16 bytes. */
        DRAFT76_RESPONSE
    }

    private final boolean request;
    private final HttpFailures failures;
    private final boolean lengthWithCodingAllowed;
    private final boolean missingHostAllowed;
    private final boolean draft76Allowed;
    private final long maxContentLength;

    MessageFraming(boolean request, HttpLimits limits) {
        this.request = request;
        this.failures = new HttpFailures(request);
        this.lengthWithCodingAllowed = limits.allows(HttpViolation.LENGTH_WITH_TRANSFER_ENCODING);
        this.missingHostAllowed = limits.allows(HttpViolation.MISSING_HOST);
        this.draft76Allowed = limits.allows(HttpViolation.DRAFT_76_HANDSHAKES);
        this.maxContentLength = limits.maxContentLength();
    }

    /**
     * @param version the version of the message, such as {@code HTTP/1.1}
     * @param alwaysEmpty the result of {@link HttpMessageDecoder#isContentAlwaysEmpty} for the message
     */
    Body ofRequest(HeadFacts facts, String method, String version, boolean alwaysEmpty)
            throws MalformedHttpMessageException, TooLongHttpMessageException {
        if (!facts.hasHost() && !missingHostAllowed && !version.endsWith("/1.0")) {
            throw failures.malformed("no Host");
        }
        if (alwaysEmpty) {
            return Body.NONE;
        }
        Body framed = framed(facts, version);
        if (framed != null) {
            return framed;
        }
        return draft76Allowed && facts.draft76Request() && method.equals("GET") ? Body.DRAFT76_REQUEST : Body.NONE;
    }

    /** @param alwaysEmpty the result of {@link HttpMessageDecoder#isContentAlwaysEmpty} for the message */
    Body ofResponse(HeadFacts facts, String status, String version, boolean alwaysEmpty)
            throws MalformedHttpMessageException, TooLongHttpMessageException {
        if (status.equals("101")) {
            return facts.draft76Response() && !alwaysEmpty ? Body.DRAFT76_RESPONSE : Body.NONE;
        }
        if (alwaysEmpty) {
            return Body.NONE;
        }
        Body framed = framed(facts, version);
        return framed == null ? Body.UNTIL_CLOSE : framed;
    }

    /** Null if no header delimits the content. */
    private Body framed(HeadFacts facts, String version)
            throws MalformedHttpMessageException, TooLongHttpMessageException {
        if (facts.coding == Coding.NONE) {
            if (facts.contentLength < 0) {
                return null;
            }
            checkContentLength(facts.contentLength);
            return facts.contentLength == 0 ? Body.NONE : Body.LENGTH;
        }
        if (version.endsWith("/1.0")) {
            throw failures.malformed("a Transfer-Encoding in version 1.0");
        }
        if (facts.contentLength >= 0 && !lengthWithCodingAllowed) {
            throw failures.malformed("both Transfer-Encoding and Content-Length");
        }
        if (facts.coding == Coding.CHUNKED_LAST) {
            return Body.CHUNKED;
        }
        if (request || facts.coding == Coding.MALFORMED) {
            throw failures.malformed("a Transfer-Encoding that does not end with a single chunked");
        }
        return Body.UNTIL_CLOSE;
    }

    /** @param contentLength the length of the message so far, or as declared */
    void checkContentLength(long contentLength) throws TooLongHttpMessageException {
        if (contentLength > maxContentLength) {
            throw failures.tooLong(
                    "the content is longer than " + maxContentLength + " bytes",
                    HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE);
        }
    }
}
