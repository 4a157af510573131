package org.freshet.handler.codec.http;

import org.freshet.handler.codec.http.HeadFacts.Coding;

/**
 * Decides how a message's content is delimited (RFC 9112 6.3): the one place that does. It looks at what the parser found,
 * never at headers that could have been changed.
 *
 * <p>Immutable; any thread.
 */
final class MessageFraming {
    enum Body {
        /** No content. */
        NONE,
        /** As many bytes as {@code Content-Length} says. */
        LENGTH,
        CHUNKED,
        /** Everything until the peer closes. */
        UNTIL_CLOSE,
        /** A WebSocket handshake of draft 76 without a length, the client's: 8 bytes, if that is allowed. */
        DRAFT76_REQUEST,
        /** The server's: 16 bytes. */
        DRAFT76_RESPONSE
    }

    private final boolean request;
    private final HttpFailures failures;
    private final boolean lengthBesideCodingAllowed;
    private final boolean missingHostAllowed;
    private final boolean draft76Allowed;
    private final long maxContentLength;

    MessageFraming(boolean request, HttpLimits limits) {
        this.request = request;
        this.failures = new HttpFailures(request);
        this.lengthBesideCodingAllowed = limits.allows(HttpViolation.LENGTH_BESIDE_TRANSFER_ENCODING);
        this.missingHostAllowed = limits.allows(HttpViolation.MISSING_HOST);
        this.draft76Allowed = limits.allows(HttpViolation.DRAFT_76_HANDSHAKES);
        this.maxContentLength = limits.maxContentLength();
    }

    /**
     * @param version of the message, such as {@code HTTP/1.1}
     * @param alwaysEmpty what {@link HttpMessageDecoder#isContentAlwaysEmpty} says of the message
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

    /** @param alwaysEmpty what {@link HttpMessageDecoder#isContentAlwaysEmpty} says of the message */
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

    /** Null if no header says anything. */
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
        if (facts.contentLength >= 0 && !lengthBesideCodingAllowed) {
            throw failures.malformed("both Transfer-Encoding and Content-Length");
        }
        if (facts.coding == Coding.CHUNKED_LAST) {
            return Body.CHUNKED;
        }
        if (request || facts.coding == Coding.MALFORMED) {
            throw failures.malformed("a Transfer-Encoding that does not end with chunked, once");
        }
        return Body.UNTIL_CLOSE;
    }

    /** @param contentLength of the message so far, or as announced */
    void checkContentLength(long contentLength) throws TooLongHttpMessageException {
        if (contentLength > maxContentLength) {
            throw failures.tooLong(
                    "a content longer than " + maxContentLength + " bytes",
                    HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE);
        }
    }
}
