package org.freshet.handler.codec.http;

import java.nio.charset.StandardCharsets;
import org.freshet.handler.codec.http.internal.RequestTarget;

/**
 * Parses a request line or a status line in one pass, however its bytes arrive. Whether and why a line is refused depends on
 * its bytes alone, not on how they are split.
 *
 * <p>Belongs to one {@link HeadParser}. Indexes are relative to the start of the line.
 */
final class StartLine {
    private enum Part {
        FIRST,
        SECOND,
        THIRD,
        END
    }

    private static final long HTTP_1_1 = HeadScan.wordOf("HTTP/1.1");
    private static final long GET = HeadScan.wordOf("GET ");
    private static final long POST = HeadScan.wordOf("POST ");

    private static final long FOUR_BYTES = 0xffff_ffffL;
    private static final long FIVE_BYTES = 0xff_ffff_ffffL;

    private final HeadRules rules;

    private Part part = Part.FIRST;

    /** Bytes before this index have been parsed. */
    private int at;

    private int partStart;

    /** The method, or the version of a response. */
    String first;

    /** The target, or the status code. */
    String second;

    /** The version of a request, or the reason phrase. */
    String third;

    StartLine(HeadRules rules) {
        this.rules = rules;
    }

    void reset() {
        part = Part.FIRST;
        at = 0;
        partStart = 0;
        first = null;
        second = null;
        third = null;
    }

    /** @return the length of the line including its end, or -1 if the end has not arrived */
    int parse(byte[] array, int start, int end) throws MalformedHttpMessageException, TooLongHttpMessageException {
        while (part != Part.END) {
            int limit = (int) Math.min(end, (long) start + rules.maxLineLength);
            int stop = part == Part.FIRST && skipUsualMethod(array, start, limit)
                    ? start + at
                    : endOfPart(array, start + at, limit);
            at = stop - start;
            checkMethodLength();
            if (isCutOff(array, stop, limit, end)) {
                return -1;
            }
            int length = takePart(array, start, stop, end);
            if (length >= 0) {
                return length;
            }
        }
        if (start + at + 1 >= end) {
            return -1;
        }
        if (array[start + at + 1] != '\n') {
            throw rules.failures.malformed("a CR without LF in the start line");
        }
        return at + 2;
    }

    private int endOfPart(byte[] array, int from, int limit) {
        if (part == Part.FIRST && rules.request) {
            return HeadScan.endOfToken(array, from, limit);
        }
        return part == Part.THIRD && !rules.request
                ? HeadScan.endOfValue(array, from, limit)
                : HeadScan.endOfTarget(array, from, limit);
    }

    private void checkMethodLength() throws MalformedHttpMessageException {
        if (rules.request && part == Part.FIRST && at > rules.maxMethodLength) {
            throw rules.failures.malformed(
                    "a method longer than " + rules.maxMethodLength + " bytes", HttpResponseStatus.NOT_IMPLEMENTED);
        }
    }

    /** Whether the byte that ends the part has not arrived. Throws if the limit leaves no room for it. */
    private boolean isCutOff(byte[] array, int stop, int limit, int end) throws TooLongHttpMessageException {
        if (stop < limit) {
            return false;
        }
        if (at < rules.maxLineLength) {
            return true;
        }
        boolean last = part == Part.THIRD || part == Part.SECOND && !rules.request;
        if (last && stop == end) {
            return true;
        }
        if (!last || array[stop] != '\r' && array[stop] != '\n') {
            throw rules.failures.tooLong(
                    "a start line longer than " + rules.maxLineLength + " bytes",
                    HttpResponseStatus.REQUEST_URI_TOO_LONG);
        }
        return false;
    }

    private boolean skipUsualMethod(byte[] array, int start, int limit) {
        if (!rules.request || limit - start < Long.BYTES) {
            return false;
        }
        long word = HeadScan.word(array, start);
        if ((word & FOUR_BYTES) == GET) {
            first = "GET";
            at = 3;
            return true;
        }
        if ((word & FIVE_BYTES) == POST) {
            first = "POST";
            at = 4;
            return true;
        }
        return false;
    }

    /**
     * Takes the part that ends before {@code stop}. Returns the length of the line if this completes it, otherwise -1.
     */
    private int takePart(byte[] array, int start, int stop, int end) throws MalformedHttpMessageException {
        byte stopper = array[stop];
        switch (part) {
            case FIRST:
                if (first == null) {
                    requireBlank(stopper, rules.request ? "the method" : "the version");
                    first = string(array, start, stop);
                    checkFirst();
                }
                startPart(Part.SECOND);
                return -1;
            case SECOND:
                return rules.request ? takeTarget(array, start, stop, end) : takeStatus(array, start, stop);
            default:
                third = string(array, start + partStart, stop);
                if (rules.request) {
                    checkVersion(third);
                    checkTarget();
                }
                return takeEnd(stopper);
        }
    }

    private void checkFirst() throws MalformedHttpMessageException {
        if (first.isEmpty()) {
            throw rules.failures.malformed("an empty " + (rules.request ? "method" : "version"));
        }
        if (!rules.request) {
            checkVersion(first);
        }
    }

    private int takeTarget(byte[] array, int start, int stop, int end) throws MalformedHttpMessageException {
        requireBlank(array[stop], "the target");
        if (at == partStart) {
            throw rules.failures.malformed("two blanks, or no target, where the target should be");
        }
        boolean isRoot = at == partStart + 1 && array[stop - 1] == '/';
        second = isRoot ? "/" : string(array, start + partStart, stop);
        startPart(Part.THIRD);
        int version = stop + 1;
        if (version + 10 <= end
                && at + 8 <= rules.maxLineLength
                && HeadScan.word(array, version) == HTTP_1_1
                && array[version + 8] == '\r'
                && array[version + 9] == '\n') {
            third = "HTTP/1.1";
            checkTarget();
            return at + 10;
        }
        return -1;
    }

    private int takeStatus(byte[] array, int start, int stop) throws MalformedHttpMessageException {
        int code = start + partStart;
        boolean threeDigits = stop - code == 3
                && array[code] >= '1'
                && isDigit(array[code])
                && isDigit(array[code + 1])
                && isDigit(array[code + 2]);
        if (!threeDigits) {
            throw rules.failures.malformed("a status code that is not three digits from 100 on");
        }
        second = string(array, code, stop);
        if (array[stop] == ' ') {
            startPart(Part.THIRD);
            return -1;
        }
        third = "";
        return takeEnd(array[stop]);
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    private int takeEnd(byte stopper) throws MalformedHttpMessageException {
        if (stopper == '\r') {
            part = Part.END;
            return -1;
        }
        if (stopper != '\n') {
            throw rules.failures.malformed(HttpFailures.name(stopper) + " at the end of the start line");
        }
        if (!rules.lfAllowed) {
            throw rules.failures.malformed("an LF without CR in the start line");
        }
        return at + 1;
    }

    private void startPart(Part next) {
        part = next;
        at++;
        partStart = at;
    }

    private void requireBlank(byte stopper, String before) throws MalformedHttpMessageException {
        if (stopper != ' ') {
            throw rules.failures.malformed(HttpFailures.name(stopper) + " after " + before + " in the start line");
        }
    }

    /** Checks for {@code HTTP/1.0} to {@code HTTP/1.9}; any version passes if other protocols are accepted. */
    private void checkVersion(String version) throws MalformedHttpMessageException {
        if (!rules.httpOnly) {
            return;
        }
        boolean form = version.length() == 8
                && version.startsWith("HTTP/")
                && version.charAt(6) == '.'
                && isDigit((byte) version.charAt(5))
                && isDigit((byte) version.charAt(7));
        if (!form) {
            throw rules.failures.malformed("a version that is not HTTP/1.x");
        }
        if (version.charAt(5) != '1') {
            throw rules.failures.malformed(
                    "a version that is not HTTP/1.x: " + version, HttpResponseStatus.HTTP_VERSION_NOT_SUPPORTED);
        }
    }

    private void checkTarget() throws MalformedHttpMessageException {
        if (!rules.nonAsciiAllowed && !isAscii(second)) {
            throw rules.failures.malformed("a non-ASCII byte in the target");
        }
        if (!rules.fragmentAllowed && second.indexOf('#') >= 0) {
            throw rules.failures.malformed("a fragment in the target");
        }
        if (rules.httpOnly && (second.charAt(0) != '/' || first.equals("CONNECT"))) {
            String problem = RequestTarget.problem(first, second);
            if (problem != null) {
                throw rules.failures.malformed(problem);
            }
        }
    }

    private static boolean isAscii(String latin1) {
        int bits = 0;
        for (int i = 0; i < latin1.length(); i++) {
            bits |= latin1.charAt(i);
        }
        return bits < 0x80;
    }

    private static String string(byte[] array, int from, int to) {
        return new String(array, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
