package org.freshet.handler.codec.http.internal;

import java.nio.charset.Charset;

/**
 * Decodes the escapes in query strings and url-encoded forms. Stateless; any thread.
 *
 * <p>{@code %%} means one percent sign, as in Netty 3. Otherwise, a percent sign must be followed by two hexadecimal
 * digits.
 */
public final class PercentDecoder {
    private PercentDecoder() {}

    /**
     * Decodes part of a text, with {@code +} as a blank. Bytes that are invalid in the charset become its replacement
     * character.
     *
     * @throws IllegalArgumentException if an escape is cut off or is not hexadecimal
     */
    public static String decode(String text, int from, int to, Charset charset) {
        int first = firstEscape(text, from, to);
        if (first == to) {
            return text.substring(from, to);
        }
        StringBuilder decoded = new StringBuilder(to - from).append(text, from, first);
        for (int at = first; at < to; ) {
            char c = text.charAt(at);
            if (c == '%') {
                at = appendEscapes(decoded, text, at, to, charset);
            } else {
                decoded.append(c == '+' ? ' ' : c);
                at++;
            }
        }
        return decoded.toString();
    }

    private static int firstEscape(String text, int from, int to) {
        int at = from;
        while (at < to && text.charAt(at) != '%' && text.charAt(at) != '+') {
            at++;
        }
        return at;
    }

    /** Decodes consecutive escapes as one run of bytes, since a character may take several. */
    private static int appendEscapes(StringBuilder decoded, String text, int from, int to, Charset charset) {
        int end = from;
        while (end < to && text.charAt(end) == '%') {
            end += end + 1 < to && text.charAt(end + 1) == '%' ? 2 : 3;
        }
        byte[] bytes = new byte[(Math.min(end, to) - from + 1) / 2];
        int length = 0;
        for (int at = from; at < to && text.charAt(at) == '%'; ) {
            boolean percent = at + 1 < to && text.charAt(at + 1) == '%';
            bytes[length++] = percent ? (byte) '%' : escaped(text, at, to);
            at += percent ? 2 : 3;
        }
        decoded.append(new String(bytes, 0, length, charset));
        return end;
    }

    private static byte escaped(String text, int at, int to) {
        if (at + 3 > to) {
            throw new IllegalArgumentException(
                    "an escape is cut off at the end of " + HeaderSyntax.printable(text) + " (index " + at + ')');
        }
        int high = hexDigit(text.charAt(at + 1));
        int low = hexDigit(text.charAt(at + 2));
        if ((high | low) < 0) {
            throw new IllegalArgumentException("not a hexadecimal escape at index " + at + " of "
                    + HeaderSyntax.printable(text) + ": " + HeaderSyntax.printable(text.substring(at, at + 3)));
        }
        return (byte) (high << 4 | low);
    }

    /** The digit's value, or -1 if the character is not an ASCII hexadecimal digit. */
    public static int hexDigit(int c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        int lower = c | 0x20;
        return lower >= 'a' && lower <= 'f' && c < 0x80 ? lower - 'a' + 10 : -1;
    }
}
