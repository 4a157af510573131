package org.freshet.handler.codec.http;

/**
 * Limits for the head of one kind of message: the parts of {@link HttpLimits} that a head parser needs. All connections
 * with the same limits share an instance, see {@link HttpLimits#headRules}.
 *
 * <p>Immutable; any thread may use it.
 */
final class HeadRules {
    final boolean request;

    /** Only HTTP/1 is accepted. */
    final boolean httpOnly;

    final HttpFailures failures;

    final int maxLineLength;
    final int maxMethodLength;
    final int maxHeaderSize;
    final int maxTrailerSize;
    final int maxHeaders;

    final boolean lfAllowed;
    final boolean foldAllowed;
    final boolean nonAsciiAllowed;
    final boolean fragmentAllowed;
    final boolean equalLengthsAllowed;

    /** Also allows an empty Host. */
    final boolean missingHostAllowed;

    final MessageFraming framing;

    HeadRules(boolean request, boolean httpOnly, HttpLimits limits) {
        this.request = request;
        this.httpOnly = httpOnly;
        failures = new HttpFailures(request);
        maxLineLength = limits.maxInitialLineLength();
        maxMethodLength = limits.maxMethodLength();
        maxHeaderSize = limits.maxHeaderSize();
        maxTrailerSize = Math.min(limits.maxTrailerSize(), limits.maxHeaderSize());
        maxHeaders = limits.maxHeaders();
        lfAllowed = limits.allows(request ? HttpViolation.LF_IN_REQUEST_HEAD : HttpViolation.LF_IN_RESPONSE_HEAD);
        foldAllowed =
                limits.allows(request ? HttpViolation.FOLDED_REQUEST_HEADERS : HttpViolation.FOLDED_RESPONSE_HEADERS);
        nonAsciiAllowed = limits.allows(HttpViolation.NON_ASCII_TARGET);
        fragmentAllowed = limits.allows(HttpViolation.FRAGMENT_IN_TARGET);
        equalLengthsAllowed = limits.allows(HttpViolation.EQUAL_CONTENT_LENGTHS);
        missingHostAllowed = limits.allows(HttpViolation.MISSING_HOST);
        framing = new MessageFraming(request, limits);
    }

    /** The most bytes that a head can have; there is no need to look further. */
    int maxBytes() {
        return (int) Math.min(Integer.MAX_VALUE, maxLineLength + 2L + maxHeaderSize);
    }
}
