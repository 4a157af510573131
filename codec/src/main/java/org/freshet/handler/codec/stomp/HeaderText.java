package org.freshet.handler.codec.stomp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import org.freshet.handler.codec.frame.CorruptedFrameException;

/**
 * Encodes and decodes header names and values: UTF-8 with escapes. The encoded length is computed first, and refuses
 * text that cannot be expressed. Stateless; any thread.
 */
enum HeaderText {
    /** {@code CONNECT}, {@code STOMP}, {@code CONNECTED}, and all frames of 1.0. */
    PLAIN(""),
    V1_1("\n:\\"),
    V1_2("\r\n:\\");

    private static final byte AS_IS = 0;

    /** For each ASCII character that must not be written as it is: the letter after the backslash, or REFUSED. */
    private final byte[] escapes = new byte[128];

    private static final byte REFUSED = 1;

    HeaderText(String escaped) {
        for (char c : new char[] {'\0', '\r', '\n'}) {
            escapes[c] = REFUSED;
        }
        for (char c : escaped.toCharArray()) {
            escapes[c] = (byte) letterOf(c);
        }
    }

    static HeaderText of(StompCommand command, StompVersion version) {
        if (command.opensConnection() || version == StompVersion.V1_0) {
            return PLAIN;
        }
        return version == StompVersion.V1_1 ? V1_1 : V1_2;
    }

    private static char letterOf(char c) {
        return switch (c) {
            case '\r' -> 'r';
            case '\n' -> 'n';
            case ':' -> 'c';
            default -> c;
        };
    }

    // ---- encoding ----

    /**
     * Returns the number of bytes that a text takes. If that is the text's length, it can be written unchanged.
     *
     * @throws IllegalArgumentException if the text contains a character that this kind of frame cannot express
     */
    int length(String text) {
        int length = text.length();
        byte[] table = escapes;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= 128 || table[c] != AS_IS) {
                return i + lengthFrom(text, i);
            }
        }
        return length;
    }

    /** Returns the length like {@link #length}, but also refuses a colon if it would end the name. */
    int nameLength(String name) {
        if (this == PLAIN && name.indexOf(':') >= 0) {
            throw refused(name, ':');
        }
        return length(name);
    }

    private int lengthFrom(String text, int start) {
        int length = 0;
        for (int i = start; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 128) {
                if (escapes[c] == REFUSED) {
                    throw refused(text, c);
                }
                length += escapes[c] == AS_IS ? 1 : 2;
            } else if (c < 0x800) {
                length += 2;
            } else if (!Character.isSurrogate(c)) {
                length += 3;
            } else if (isPair(text, i)) {
                length += 4;
                i++;
            } else {
                throw new IllegalArgumentException("header contains half a surrogate pair, at index " + i);
            }
        }
        return length;
    }

    private IllegalArgumentException refused(String text, char c) {
        String where = this == PLAIN ? "a frame without escapes" : "version 1.1";
        String shown = text.replace("\0", "\\0").replace("\r", "\\r").replace("\n", "\\n");
        return new IllegalArgumentException(
                "a header in " + where + " cannot contain the character " + (int) c + ": " + shown);
    }

    /** Writes a text accepted by {@link #length}; returns the index after it. */
    int write(String text, byte[] array, int from) {
        if (length(text) == text.length()) {
            return writePlain(text, array, from);
        }
        int at = from;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 128) {
                if (escapes[c] != AS_IS) {
                    array[at++] = '\\';
                }
                array[at++] = escapes[c] == AS_IS ? (byte) c : escapes[c];
            } else if (c < 0x800) {
                array[at++] = (byte) (0xC0 | c >> 6);
                array[at++] = (byte) (0x80 | c & 0x3F);
            } else if (!Character.isSurrogate(c)) {
                array[at++] = (byte) (0xE0 | c >> 12);
                array[at++] = (byte) (0x80 | c >> 6 & 0x3F);
                array[at++] = (byte) (0x80 | c & 0x3F);
            } else {
                i++;
                at = writePair(Character.toCodePoint(c, text.charAt(i)), array, at);
            }
        }
        return at;
    }

    private static int writePair(int codePoint, byte[] array, int at) {
        array[at] = (byte) (0xF0 | codePoint >> 18);
        array[at + 1] = (byte) (0x80 | codePoint >> 12 & 0x3F);
        array[at + 2] = (byte) (0x80 | codePoint >> 6 & 0x3F);
        array[at + 3] = (byte) (0x80 | codePoint & 0x3F);
        return at + 4;
    }

    private static boolean isPair(String text, int i) {
        return Character.isHighSurrogate(text.charAt(i))
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
    }

    /** Writes ASCII text that needs no escapes. */
    @SuppressWarnings("deprecation") // truncates characters to bytes, as wanted here, and is faster than an encoder
    static int writePlain(String text, byte[] array, int at) {
        int length = text.length();
        text.getBytes(0, length, array, at);
        return at + length;
    }

    // ---- decoding ----

    /** @throws CorruptedFrameException for an escape that this version does not have */
    String read(byte[] array, int start, int end) throws CorruptedFrameException {
        if (this != PLAIN) {
            for (int i = start; i < end; i++) {
                if (array[i] == '\\') {
                    return readEscaped(array, start, end, i);
                }
            }
        }
        return new String(array, start, end - start, UTF_8);
    }

    private String readEscaped(byte[] array, int start, int end, int firstEscape) throws CorruptedFrameException {
        byte[] text = Arrays.copyOfRange(array, start, end);
        int length = firstEscape - start;
        for (int i = firstEscape; i < end; i++) {
            byte b = array[i];
            if (b == '\\') {
                i++;
                b = meaningOf(i < end ? array[i] : AS_IS);
            }
            text[length++] = b;
        }
        return new String(text, 0, length, UTF_8);
    }

    private byte meaningOf(byte letter) throws CorruptedFrameException {
        switch (letter) {
            case 'n':
                return '\n';
            case 'c':
                return ':';
            case '\\':
                return '\\';
            case 'r':
                if (this == V1_2) {
                    return '\r';
                }
                break;
            default:
                break;
        }
        String version = this == V1_2 ? "1.2" : "1.1";
        throw new CorruptedFrameException("header has an escape that STOMP " + version + " does not define: "
                + (letter == AS_IS ? "a backslash at its end" : "a backslash before byte " + (letter & 0xFF)));
    }
}
