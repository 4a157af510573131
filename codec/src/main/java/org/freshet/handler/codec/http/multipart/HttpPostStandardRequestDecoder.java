package org.freshet.handler.codec.http.multipart;

import java.io.IOException;
import java.nio.charset.Charset;
import java.util.Arrays;
import org.freshet.handler.codec.http.HttpConstants;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.internal.PercentDecoder;
import org.freshet.handler.codec.http.multipart.HttpPostRequestDecoder.ErrorDataDecoderException;

/**
 * Decodes {@code application/x-www-form-urlencoded}: pairs separated by ampersands. Escapes are decoded in one pass
 * over the bytes; the result is text in the given charset.
 *
 * <p>A name without an equals sign has an empty value. Two ampersands in a row have no pair between them. The form may
 * end with a line end.
 */
public class HttpPostStandardRequestDecoder extends FormDecoder {
    private static final int INITIAL_NAME_BYTES = 64;
    private static final byte[] NOTHING = {};

    private enum State {
        NAME,
        VALUE,
        LINE_END
    }

    /** How much of an escape was read before its piece ended. */
    private enum Escape {
        NONE,
        PERCENT,
        FIRST_DIGIT
    }

    private State state = State.NAME;
    private Escape escape = Escape.NONE;
    private int firstDigit;

    /** The value of the last escape. */
    private int unescaped;

    /** The name being received, decoded. */
    private byte[] name = new byte[INITIAL_NAME_BYTES];

    private int nameLength;

    /** The field being received, once its name is complete. */
    private Attribute current;

    /** Decoded bytes of a value with escapes. As large as the longest piece of a value so far. */
    private byte[] decoded = NOTHING;

    /** Uses a {@link DefaultHttpDataFactory} and UTF-8. */
    public HttpPostStandardRequestDecoder(HttpRequest request) throws ErrorDataDecoderException {
        this(new DefaultHttpDataFactory(), request);
    }

    public HttpPostStandardRequestDecoder(HttpDataFactory factory, HttpRequest request)
            throws ErrorDataDecoderException {
        this(factory, request, HttpConstants.DEFAULT_CHARSET);
    }

    public HttpPostStandardRequestDecoder(HttpDataFactory factory, HttpRequest request, Charset charset)
            throws ErrorDataDecoderException {
        this(factory, request, charset, HttpLimits.defaults());
    }

    /** @throws ErrorDataDecoderException if the content of the request is malformed */
    public HttpPostStandardRequestDecoder(
            HttpDataFactory factory, HttpRequest request, Charset charset, HttpLimits limits)
            throws ErrorDataDecoderException {
        super(factory, request, charset, limits);
        decodeContent();
    }

    @Override
    public boolean isMultipart() {
        return false;
    }

    @Override
    final void decode(byte[] array, int from, int to) throws ErrorDataDecoderException, IOException {
        int at = from;
        while (at < to) {
            switch (state) {
                case NAME:
                    at = decodeName(array, at, to);
                    break;
                case VALUE:
                    at = decodeValue(array, at, to);
                    break;
                default:
                    checkLineEnd(array[at++]);
                    break;
            }
        }
    }

    // ---- names ----

    private int decodeName(byte[] array, int from, int to) throws ErrorDataDecoderException, IOException {
        for (int at = from; at < to; at++) {
            byte b = array[at];
            if (escape != Escape.NONE) {
                if (unescape(b)) {
                    appendToName((byte) unescaped);
                }
            } else if (b == '=') {
                beginValue();
                return at + 1;
            } else if (b == '&' || isLineEnd(b)) {
                endWithoutValue();
                state = b == '&' ? State.NAME : State.LINE_END;
                return at + 1;
            } else if (b == '%') {
                escape = Escape.PERCENT;
            } else {
                appendToName(b == '+' ? (byte) ' ' : b);
            }
        }
        return to;
    }

    private void appendToName(byte b) throws ErrorDataDecoderException {
        checkNameLength(nameLength + 1);
        if (nameLength == name.length) {
            name = Arrays.copyOf(name, nameLength * 2);
        }
        name[nameLength++] = b;
    }

    private void beginValue() throws ErrorDataDecoderException {
        countPart();
        current = newAttribute(new String(name, 0, nameLength, charset), charset);
        nameLength = 0;
        state = State.VALUE;
    }

    private void endWithoutValue() throws ErrorDataDecoderException, IOException {
        if (nameLength > 0) {
            beginValue();
            endValue(NOTHING, 0, 0);
        }
    }

    // ---- values ----

    private int decodeValue(byte[] array, int from, int to) throws ErrorDataDecoderException, IOException {
        int at = from;
        if (escape == Escape.NONE) {
            while (at < to && !isSpecial(array[at])) {
                at++;
            }
            if (at == to) {
                addToValue(array, from, to);
                return to;
            }
            if (array[at] != '%' && array[at] != '+') {
                return endValueAt(array, from, at, array[at]);
            }
        }
        return decodeEscapedValue(array, from, at, to);
    }

    /** Continues at the first escape. */
    private int decodeEscapedValue(byte[] array, int from, int firstEscape, int to)
            throws ErrorDataDecoderException, IOException {
        if (decoded.length < to - from) {
            decoded = new byte[to - from];
        }
        int length = firstEscape - from;
        System.arraycopy(array, from, decoded, 0, length);
        for (int at = firstEscape; at < to; at++) {
            byte b = array[at];
            if (escape != Escape.NONE) {
                if (unescape(b)) {
                    decoded[length++] = (byte) unescaped;
                }
            } else if (b == '&' || isLineEnd(b)) {
                endValueAt(decoded, 0, length, b);
                return at + 1;
            } else if (b == '%') {
                escape = Escape.PERCENT;
            } else {
                decoded[length++] = b == '+' ? (byte) ' ' : b;
            }
        }
        addToValue(decoded, 0, length);
        return to;
    }

    private static boolean isSpecial(byte b) {
        return b == '&' || b == '%' || b == '+' || isLineEnd(b);
    }

    private static boolean isLineEnd(byte b) {
        return b == '\r' || b == '\n';
    }

    private void addToValue(byte[] array, int from, int to) throws ErrorDataDecoderException, IOException {
        if (from < to) {
            addContent(current, array, from, to, false);
        }
    }

    /** Ends a value at {@code to}, where the byte {@code end} is. Returns the index after that byte. */
    private int endValueAt(byte[] array, int from, int to, byte end) throws ErrorDataDecoderException, IOException {
        endValue(array, from, to);
        state = end == '&' ? State.NAME : State.LINE_END;
        return to + 1;
    }

    private void endValue(byte[] array, int from, int to) throws ErrorDataDecoderException, IOException {
        addContent(current, array, from, to, true);
        completed(current);
        current = null;
        state = State.NAME;
    }

    // ---- escapes and the end ----

    /** Takes a byte of an escape. Returns whether it was the last one; then {@link #unescaped} is set. */
    private boolean unescape(byte b) throws ErrorDataDecoderException {
        int digit = PercentDecoder.hexDigit(b);
        if (digit < 0) {
            throw new ErrorDataDecoderException("not a hexadecimal escape in the form");
        }
        if (escape == Escape.PERCENT) {
            firstDigit = digit;
            escape = Escape.FIRST_DIGIT;
            return false;
        }
        unescaped = firstDigit << 4 | digit;
        escape = Escape.NONE;
        return true;
    }

    private static void checkLineEnd(byte b) throws ErrorDataDecoderException {
        if (!isLineEnd(b)) {
            throw new ErrorDataDecoderException("content after the line end of the form");
        }
    }

    @Override
    final void decodeEnd() throws ErrorDataDecoderException, IOException {
        if (escape != Escape.NONE) {
            throw new ErrorDataDecoderException("the form ends inside an escape");
        }
        if (state == State.VALUE) {
            endValue(NOTHING, 0, 0);
        } else {
            endWithoutValue();
        }
        state = State.LINE_END;
    }
}
