package org.freshet.handler.codec.http;

/**
 * What one kind of message may look like: the {@link HttpLimits} that concern a head, in the form in which its parser reads
 * them. A connection keeps a reference to one instance and nothing else of it, see {@link HttpLimits#headRules}.
 *
 * <p>Immutable; any thread.
 */
final class HeadRules {
    final boolean request;

    /** No other protocol than HTTP/1 is accepted. */
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

    /** Also an empty one. */
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

    /** How many bytes a head may have at most; more need not be looked at. */
    int maxBytes() {
        return (int) Math.min(Integer.MAX_VALUE, maxLineLength + 2L + maxHeaderSize);
    }
}
