package org.freshet.handler.codec.http;

import org.freshet.handler.codec.http.internal.HeaderSyntax;
import org.freshet.handler.codec.http.internal.PercentDecoder;

/**
 * Reads the line before a chunk (RFC 9112 7.1): its size, and its extensions, which are checked and ignored. The whole
 * grammar is checked, above all line ends in quoted strings: peers that check less would find different chunks in the
 * same bytes.
 *
 * <p>If a line arrives in pieces, reading resumes where the last piece ended. Belongs to one decoder.
 */
final class ChunkLine {
    private enum Expected {
        FIRST_DIGIT,
        DIGIT,
        SEMICOLON,
        NAME_START,
        NAME,
        EQUALS,
        VALUE_START,
        TOKEN,
        QUOTED,
        ESCAPED,
        END_OF_QUOTED,
        LF
    }

    /** A number with more digits is no chunk size, even if it begins with zeros. */
    private static final int MAX_DIGITS = 16;

    private final HttpFailures failures;
    private final int maxLength;
    private final long maxOverhead;

    /** For the line being read: what comes next, the bytes read, and the size so far. */
    private Expected expected = Expected.FIRST_DIGIT;

    private int length;
    private long value;
    private int digits;

    /** For the message: bytes of its chunk lines other than sizes, and bytes of its chunks. */
    private long overhead;

    private long content;

    /** The size of the chunk whose line was read last. */
    private int size;

    ChunkLine(boolean request, HttpLimits limits) {
        this.failures = new HttpFailures(request);
        this.maxLength = limits.maxChunkLineLength();
        this.maxOverhead = limits.maxChunkOverhead();
    }

    void startMessage() {
        overhead = 0;
        content = 0;
        startLine();
    }

    private void startLine() {
        expected = Expected.FIRST_DIGIT;
        length = 0;
        value = 0;
        digits = 0;
    }

    int size() {
        return size;
    }

    /** Bytes in the message's chunks so far, including the chunk whose line was read last. */
    long content() {
        return content;
    }

    /**
     * Continues reading.
     *
     * @param start where the line starts; this may have moved since the last call
     * @return the length of the line including its end, or -1 if the end has not arrived
     */
    int parse(byte[] array, int start, int end) throws MalformedHttpMessageException {
        int limit = (int) Math.min(end, start + maxLength + 2L);
        for (int at = start + length; at < limit; at++) {
            byte b = array[at];
            if (expected == Expected.LF) {
                return endLine(b, at - start);
            }
            int digit =
                    expected == Expected.FIRST_DIGIT || expected == Expected.DIGIT ? PercentDecoder.hexDigit(b) : -1;
            if (digit >= 0) {
                addDigit(digit);
            } else {
                expected = next(expected, b);
            }
        }
        length = limit - start;
        if (length == maxLength + 2L) {
            throw failures.malformed("the line before a chunk is longer than " + maxLength + " bytes");
        }
        return -1;
    }

    private int endLine(byte b, int lengthBefore) throws MalformedHttpMessageException {
        if (b != '\n') {
            throw failures.malformed("a CR without LF in the line before a chunk");
        }
        accept(value, lengthBefore - 1 - digits);
        startLine();
        return lengthBefore + 1;
    }

    private void addDigit(int digit) throws MalformedHttpMessageException {
        value = value << 4 | digit;
        digits++;
        expected = Expected.DIGIT;
        if (value > Integer.MAX_VALUE || digits > MAX_DIGITS) {
            throw failures.malformed("a chunk larger than " + Integer.MAX_VALUE + " bytes");
        }
    }

    private Expected next(Expected expected, byte b) throws MalformedHttpMessageException {
        switch (expected) {
            case DIGIT:
            case END_OF_QUOTED:
                return afterElement(b);
            case SEMICOLON:
                return HeadScan.isBlank(b) ? Expected.SEMICOLON : require(b == ';', b, Expected.NAME_START);
            case NAME_START:
                return HeadScan.isBlank(b) ? Expected.NAME_START : require(isToken(b), b, Expected.NAME);
            case NAME:
                return isToken(b) ? Expected.NAME : afterName(b);
            case EQUALS:
                return HeadScan.isBlank(b) ? Expected.EQUALS : afterBlankName(b);
            case VALUE_START:
                return valueStart(b);
            case TOKEN:
                return isToken(b) ? Expected.TOKEN : afterElement(b);
            case QUOTED:
                return inQuotes(b);
            case ESCAPED:
                return require(isText(b), b, Expected.QUOTED);
            default:
                throw refused(b);
        }
    }

    private Expected afterElement(byte b) throws MalformedHttpMessageException {
        if (b == '\r') {
            return Expected.LF;
        }
        return HeadScan.isBlank(b) ? Expected.SEMICOLON : require(b == ';', b, Expected.NAME_START);
    }

    private Expected afterName(byte b) throws MalformedHttpMessageException {
        if (b == '=') {
            return Expected.VALUE_START;
        }
        return HeadScan.isBlank(b) ? Expected.EQUALS : afterElement(b);
    }

    private Expected afterBlankName(byte b) throws MalformedHttpMessageException {
        return b == '=' ? Expected.VALUE_START : require(b == ';', b, Expected.NAME_START);
    }

    private Expected valueStart(byte b) throws MalformedHttpMessageException {
        if (b == '"') {
            return Expected.QUOTED;
        }
        return HeadScan.isBlank(b) ? Expected.VALUE_START : require(isToken(b), b, Expected.TOKEN);
    }

    private Expected inQuotes(byte b) throws MalformedHttpMessageException {
        if (b == '"') {
            return Expected.END_OF_QUOTED;
        }
        return b == '\\' ? Expected.ESCAPED : require(isText(b), b, Expected.QUOTED);
    }

    private static boolean isToken(byte b) {
        return HeaderSyntax.isTokenChar(b & 0xff);
    }

    private static boolean isText(byte b) {
        return HeaderSyntax.isValueChar(b & 0xff);
    }

    private Expected require(boolean fits, byte b, Expected next) throws MalformedHttpMessageException {
        if (!fits) {
            throw refused(b);
        }
        return next;
    }

    private MalformedHttpMessageException refused(byte b) {
        return failures.malformed(HttpFailures.name(b) + " in the line before a chunk");
    }

    private void accept(long value, int otherBytes) throws MalformedHttpMessageException {
        size = (int) value;
        content += value;
        overhead += otherBytes;
        if (overhead > maxOverhead + 2 * content) {
            throw failures.malformed("more than " + maxOverhead + " bytes of chunk extensions with little content");
        }
    }
}
