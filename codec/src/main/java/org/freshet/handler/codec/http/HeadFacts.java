package org.freshet.handler.codec.http;

import org.freshet.handler.codec.http.internal.KnownNames;
import org.freshet.handler.codec.http.internal.RequestTarget;

/**
 * Facts from the header lines of one message, gathered while they are parsed. Only these decide how a message is
 * framed: its header map may be of any class, and may have been changed.
 *
 * <p>Belongs to one {@link HeadParser}.
 */
final class HeadFacts {
    /** The transfer codings in sum. */
    enum Coding {
        NONE,
        /** {@code chunked} appears once, and is the last coding. */
        CHUNKED_LAST,
        /** A valid list without {@code chunked}. */
        OTHER_LAST,
        /** {@code chunked} appears once, with other codings after it. */
        CHUNKED_BEFORE_OTHER,
        MALFORMED
    }

    private static final int CLOSE = 1;
    private static final int KEEP_ALIVE = 2;
    private static final int UPGRADE_TOKEN = 4;
    private static final int UPGRADE = 8;
    private static final int EXPECT_CONTINUE = 16;
    private static final int KEY1 = 32;
    private static final int KEY2 = 64;
    private static final int ACCEPT = 128;
    private static final int ORIGIN = 256;
    private static final int LOCATION = 512;
    private static final int HOST = 1024;
    private static final int OTHER_EXPECTATION = 2048;
    private static final int TRANSFER_ENCODING = 4096;

    private final HeadRules rules;

    private int flags;

    /** -1 if there is no {@code Content-Length}. */
    long contentLength;

    Coding coding;

    HeadFacts(HeadRules rules) {
        this.rules = rules;
        reset();
    }

    void reset() {
        flags = 0;
        contentLength = -1;
        coding = Coding.NONE;
    }

    /** {@code Connection} asks to close the connection. */
    boolean close() {
        return has(CLOSE);
    }

    /** {@code Connection} asks to keep the connection open; {@link #close} takes precedence. */
    boolean keepAlive() {
        return has(KEEP_ALIVE);
    }

    /** The peer offers to switch to another protocol. */
    boolean upgrade() {
        return has(UPGRADE_TOKEN | UPGRADE);
    }

    boolean hasHost() {
        return has(HOST);
    }

    /** With any value: {@link #coding} may be NONE. */
    boolean hasTransferEncoding() {
        return has(TRANSFER_ENCODING);
    }

    boolean expectContinue() {
        return has(EXPECT_CONTINUE);
    }

    /** {@code Expect} has a value other than {@code 100-continue}. */
    boolean expectsOther() {
        return has(OTHER_EXPECTATION);
    }

    /** A WebSocket handshake of draft 76. Its content is 8 bytes, with no header that says so. */
    boolean draft76Request() {
        return has(KEY1 | KEY2 | UPGRADE_TOKEN | UPGRADE);
    }

    /** The response to such a handshake. Its content is 16 bytes. */
    boolean draft76Response() {
        return has(ORIGIN | LOCATION) && !has(ACCEPT);
    }

    private boolean has(int all) {
        return (flags & all) == all;
    }

    /**
     * Takes one header, given the key of its name.
     *
     * @throws MalformedHttpMessageException if the header must be unambiguous and isn't
     */
    void onHeader(int key, byte[] array, int from, int to) throws MalformedHttpMessageException {
        switch (key) {
            case KnownNames.CONTENT_LENGTH:
                onContentLength(array, from, to);
                break;
            case KnownNames.TRANSFER_ENCODING:
                flags |= TRANSFER_ENCODING;
                onTransferEncoding(array, from, to);
                break;
            case KnownNames.HOST:
                onHost(array, from, to);
                break;
            case KnownNames.CONNECTION:
                onConnection(array, from, to);
                break;
            case KnownNames.EXPECT:
                int first = firstNonBlank(array, from, to);
                flags |= equalsIgnoringCase(array, first, to, "100-continue") ? EXPECT_CONTINUE : OTHER_EXPECTATION;
                break;
            case KnownNames.UPGRADE:
                flags |= UPGRADE;
                break;
            case KnownNames.SEC_WEBSOCKET_KEY1:
                flags |= KEY1;
                break;
            case KnownNames.SEC_WEBSOCKET_KEY2:
                flags |= KEY2;
                break;
            case KnownNames.SEC_WEBSOCKET_ACCEPT:
                flags |= ACCEPT;
                break;
            case KnownNames.SEC_WEBSOCKET_ORIGIN:
                flags |= ORIGIN;
                break;
            case KnownNames.SEC_WEBSOCKET_LOCATION:
                flags |= LOCATION;
                break;
            default:
            // Trailer: nothing depends on it
        }
    }

    private void onContentLength(byte[] array, int from, int to) throws MalformedHttpMessageException {
        long length = 0;
        boolean valid = to > from && to - from <= 19;
        for (int i = from; i < to && valid; i++) {
            int digit = array[i] - '0';
            valid = digit >= 0 && digit <= 9 && length <= (Long.MAX_VALUE - digit) / 10;
            length = length * 10 + digit;
        }
        if (!valid) {
            throw rules.failures.malformed("a Content-Length that is not a number of bytes");
        }
        if (contentLength >= 0 && (contentLength != length || !rules.equalLengthsAllowed)) {
            throw rules.failures.malformed("more than one Content-Length");
        }
        contentLength = length;
    }

    private void onTransferEncoding(byte[] array, int from, int to) {
        if (coding != Coding.NONE && rules.request) {
            coding = Coding.MALFORMED; // peers disagree on what several lines mean
        }
        for (int at = from; at <= to && coding != Coding.MALFORMED; ) {
            int comma = endOfElement(array, at, to);
            coding = withCoding(array, firstNonBlank(array, at, comma), HeadScan.trimmedEnd(array, at, comma));
            at = comma + 1;
        }
    }

    private Coding withCoding(byte[] array, int from, int to) {
        boolean chunkedBefore = coding == Coding.CHUNKED_LAST || coding == Coding.CHUNKED_BEFORE_OTHER;
        boolean chunked = equalsIgnoringCase(array, from, to, "chunked");
        if (from >= to || HeadScan.endOfToken(array, from, to) < to || chunked && chunkedBefore) {
            return Coding.MALFORMED;
        }
        if (chunked) {
            return Coding.CHUNKED_LAST;
        }
        return chunkedBefore ? Coding.CHUNKED_BEFORE_OTHER : Coding.OTHER_LAST;
    }

    private void onHost(byte[] array, int from, int to) throws MalformedHttpMessageException {
        if (!rules.request) {
            return;
        }
        if (hasHost()) {
            throw rules.failures.malformed("more than one Host");
        }
        flags |= HOST;
        if (from == to && !rules.missingHostAllowed || !RequestTarget.isHost(array, from, to)) {
            throw rules.failures.malformed("a Host that is not a valid host");
        }
    }

    private void onConnection(byte[] array, int from, int to) {
        for (int at = from; at <= to; ) {
            int comma = endOfElement(array, at, to);
            int start = firstNonBlank(array, at, comma);
            int end = endOfText(array, start, comma);
            if (equalsIgnoringCase(array, start, end, "close")) {
                flags |= CLOSE;
            } else if (equalsIgnoringCase(array, start, end, "keep-alive")) {
                flags |= KEEP_ALIVE;
            } else if (equalsIgnoringCase(array, start, end, "upgrade")) {
                flags |= UPGRADE_TOKEN;
            }
            at = comma + 1;
        }
    }

    private static int endOfElement(byte[] array, int from, int to) {
        int at = from;
        while (at < to && array[at] != ',') {
            at++;
        }
        return at;
    }

    /** Skips line ends, too: they belong to a folded header. */
    private static int firstNonBlank(byte[] array, int from, int to) {
        int at = from;
        while (at < to && isBlankOrLineEnd(array[at])) {
            at++;
        }
        return at;
    }

    /** The end without blanks and line ends before it. */
    private static int endOfText(byte[] array, int from, int to) {
        int end = to;
        while (end > from && isBlankOrLineEnd(array[end - 1])) {
            end--;
        }
        return end;
    }

    private static boolean isBlankOrLineEnd(byte b) {
        return HeadScan.isBlank(b) || b == '\r' || b == '\n';
    }

    private static boolean equalsIgnoringCase(byte[] array, int from, int to, String lowerCase) {
        if (to - from != lowerCase.length()) {
            return false;
        }
        for (int i = from; i < to; i++) {
            int c = array[i];
            if (lowerCase.charAt(i - from) != (c >= 'A' && c <= 'Z' ? c | 0x20 : c)) {
                return false;
            }
        }
        return true;
    }
}
