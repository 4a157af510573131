package org.freshet.handler.codec.http.multipart;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpViolation;
import org.freshet.handler.codec.http.internal.HeaderSyntax;
import org.freshet.handler.codec.http.multipart.HttpPostRequestDecoder.ErrorDataDecoderException;

/**
 * Collects and parses the header lines of one part after another. Lines end with CR LF, as in a message's head, or with
 * LF where {@link HttpViolation#LF_IN_REQUEST_HEAD} is allowed. Unknown headers are checked and ignored. Not
 * thread-safe.
 */
final class PartHead {
    private static final int INITIAL_BYTES = 256;

    private final HttpLimits limits;
    private final Charset charset;
    private final boolean lfAllowed;

    private byte[] bytes = new byte[INITIAL_BYTES];
    private int length;
    private int lineStart;
    private int lines;
    private boolean complete;

    private String disposition;
    private String contentType;
    private String contentLength;
    private String transferEncoding;

    /** @param charset the charset of header values */
    PartHead(HttpLimits limits, Charset charset) {
        this.limits = limits;
        this.charset = charset;
        lfAllowed = limits.allows(HttpViolation.LF_IN_REQUEST_HEAD);
    }

    /** Starts the head of another part. */
    void begin() {
        length = 0;
        lineStart = 0;
        lines = 0;
        complete = false;
        disposition = null;
        contentType = null;
        contentLength = null;
        transferEncoding = null;
    }

    /** Takes bytes up to the end of the head, and returns the index after those taken. */
    int read(byte[] array, int from, int to) throws ErrorDataDecoderException {
        for (int at = from; at < to; at++) {
            append(array[at]);
            if (array[at] == '\n' && endLine()) {
                complete = true;
                return at + 1;
            }
        }
        return to;
    }

    private void append(byte b) throws ErrorDataDecoderException {
        boolean afterCr = length > lineStart && bytes[length - 1] == '\r';
        if (afterCr != (b == '\n')) {
            if (afterCr || !lfAllowed) {
                throw new ErrorDataDecoderException("CR or LF alone in the head of a part");
            }
            append((byte) '\r');
        }
        if (length == limits.maxPartHeadSize()) {
            throw tooLarge("the head of a part has more than " + length + " bytes");
        }
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, length * 2);
        }
        bytes[length++] = b;
    }

    /** Whether the line was the empty one that ends the head. */
    private boolean endLine() throws ErrorDataDecoderException {
        if (length == lineStart + 2) {
            endOfHead();
            return true;
        }
        if (++lines > limits.maxPartHeaders()) {
            throw tooLarge("a part has more than " + limits.maxPartHeaders() + " header lines");
        }
        lineStart = length;
        return false;
    }

    private static ErrorDataDecoderException tooLarge(String what) {
        return new ErrorDataDecoderException(what, HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE);
    }

    private void endOfHead() throws ErrorDataDecoderException {
        int at = 0;
        while (at < lineStart) {
            int end = endOfField(at);
            parseField(at, end - 2);
            at = end;
        }
    }

    /** The index after the line and those that continue it. */
    private int endOfField(int from) throws ErrorDataDecoderException {
        int end = lineEnd(from);
        while (end < lineStart && (bytes[end] == ' ' || bytes[end] == '\t')) {
            if (!limits.allows(HttpViolation.FOLDED_REQUEST_HEADERS)) {
                throw new ErrorDataDecoderException("a folded header in the head of a part");
            }
            bytes[end - 2] = ' ';
            bytes[end - 1] = ' ';
            end = lineEnd(end);
        }
        return end;
    }

    private int lineEnd(int from) {
        int at = from;
        while (bytes[at] != '\n') {
            at++;
        }
        return at + 1;
    }

    private void parseField(int from, int to) throws ErrorDataDecoderException {
        int colon = from;
        while (colon < to && HeaderSyntax.isTokenChar(bytes[colon] & 0xff)) {
            colon++;
        }
        if (colon == from || colon == to || bytes[colon] != ':') {
            throw new ErrorDataDecoderException("not a header in the head of a part: "
                    + HeaderSyntax.printable(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1)));
        }
        for (int at = colon + 1; at < to; at++) {
            if (!HeaderSyntax.isValueChar(bytes[at] & 0xff)) {
                throw new ErrorDataDecoderException(
                        String.format("byte 0x%02x in a header of a part", bytes[at] & 0xff));
            }
        }
        String name = new String(bytes, from, colon - from, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
        keep(name, new String(bytes, colon + 1, to - colon - 1, charset).strip());
    }

    private void keep(String name, String value) throws ErrorDataDecoderException {
        switch (name) {
            case "content-disposition":
                disposition = once(name, disposition, value);
                break;
            case "content-type":
                contentType = once(name, contentType, value);
                break;
            case "content-length":
                contentLength = once(name, contentLength, value);
                break;
            case "content-transfer-encoding":
                transferEncoding = once(name, transferEncoding, value);
                break;
            default:
                break;
        }
    }

    private static String once(String name, String before, String value) throws ErrorDataDecoderException {
        if (before != null) {
            throw new ErrorDataDecoderException("a part has " + name + " twice");
        }
        return value;
    }

    /** Whether nothing of the head was read. */
    boolean isEmpty() {
        return length == 0;
    }

    /** Whether the head was read completely. */
    boolean isComplete() {
        return complete;
    }

    /** This header and those below are null if the part doesn't have them. */
    String disposition() {
        return disposition;
    }

    String contentType() {
        return contentType;
    }

    String transferEncoding() {
        return transferEncoding;
    }

    /** The expected bytes of the part; 0 if the header is missing or not a number. */
    long contentLength() {
        if (contentLength == null || contentLength.length() > 18 || !contentLength.matches("[0-9]+")) {
            return 0;
        }
        return Long.parseLong(contentLength);
    }
}
