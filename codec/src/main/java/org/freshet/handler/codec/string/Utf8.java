package org.freshet.handler.codec.string;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * UTF-8 for text that is not ASCII, for which the JDK takes up to three times the memory that the result needs. Does what the
 * JDK does, which also gets text that begins with ASCII: that it converts fastest. Stateless.
 */
final class Utf8 {
    /** How many characters or bytes tell which kind of text it is. */
    private static final int SAMPLE = 8;

    private static final byte REPLACEMENT = '?';

    private Utf8() {}

    static byte[] encode(String text) {
        if (beginsWithAscii(text)) {
            return text.getBytes(UTF_8);
        }
        byte[] bytes = new byte[encodedLength(text)];
        int end = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                bytes[end++] = (byte) c;
            } else if (c < 0x800) {
                bytes[end++] = (byte) (0xC0 | c >> 6);
                bytes[end++] = (byte) (0x80 | c & 0x3F);
            } else if (!Character.isSurrogate(c)) {
                bytes[end++] = (byte) (0xE0 | c >> 12);
                bytes[end++] = (byte) (0x80 | c >> 6 & 0x3F);
                bytes[end++] = (byte) (0x80 | c & 0x3F);
            } else if (isPair(text, i)) {
                i++;
                end = encodePair(Character.toCodePoint(c, text.charAt(i)), bytes, end);
            } else {
                bytes[end++] = REPLACEMENT;
            }
        }
        return bytes;
    }

    private static boolean beginsWithAscii(String text) {
        int length = Math.min(SAMPLE, text.length());
        int bits = 0;
        for (int i = 0; i < length; i++) {
            bits |= text.charAt(i);
        }
        return bits < 0x80;
    }

    private static int encodedLength(String text) {
        int length = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            length += 0x7F - c >>> 31;
            if (c >= 0x800) {
                if (!Character.isSurrogate(c)) {
                    length++;
                } else if (isPair(text, i)) {
                    i++;
                    length++; // 4 for two characters
                } else {
                    length--; // the replacement
                }
            }
        }
        return length;
    }

    private static boolean isPair(String text, int index) {
        return Character.isHighSurrogate(text.charAt(index))
                && index + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(index + 1));
    }

    private static int encodePair(int codePoint, byte[] bytes, int start) {
        bytes[start] = (byte) (0xF0 | codePoint >> 18);
        bytes[start + 1] = (byte) (0x80 | codePoint >> 12 & 0x3F);
        bytes[start + 2] = (byte) (0x80 | codePoint >> 6 & 0x3F);
        bytes[start + 3] = (byte) (0x80 | codePoint & 0x3F);
        return start + 4;
    }
}
