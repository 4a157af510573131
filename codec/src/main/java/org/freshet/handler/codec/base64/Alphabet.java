package org.freshet.handler.codec.base64;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Translates between a dialect and the standard alphabet, the only one of these that the JDK has tables for. Immutable.
 */
final class Alphabet {
    private static final String STANDARD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    private static final byte SKIPPED = 0;
    private static final byte BAD = -1;

    /** Indexed by standard character. Characters that are the same in both map to themselves. */
    private final byte[] fromStandard = new byte[128];

    /** Indexed by unsigned byte: the standard character, {@link #SKIPPED} for white space, or {@link #BAD}. */
    private final byte[] toStandard = new byte[256];

    private final boolean standard;

    Alphabet(String characters) {
        standard = characters.equals(STANDARD);
        Arrays.fill(toStandard, BAD);
        for (int i = 0; i < fromStandard.length; i++) {
            fromStandard[i] = (byte) i;
        }
        for (int i = 0; i < characters.length(); i++) {
            fromStandard[STANDARD.charAt(i)] = (byte) characters.charAt(i);
            toStandard[characters.charAt(i)] = (byte) STANDARD.charAt(i);
        }
        toStandard['='] = '=';
        for (byte space : " \t\r\n".getBytes(StandardCharsets.US_ASCII)) {
            toStandard[space] = SKIPPED;
        }
    }

    /** Translates {@code text} in place. */
    void translateFromStandard(byte[] text) {
        if (standard) {
            return;
        }
        for (int i = 0; i < text.length; i++) {
            text[i] = fromStandard[text[i]];
        }
    }

    /**
     * Translates {@code text} in place and drops white space.
     *
     * @return the number of characters that remain
     * @throws IllegalArgumentException if a byte is not a character of the dialect, padding or white space
     */
    int translateToStandard(byte[] text) {
        int length = 0;
        for (int i = 0; i < text.length; i++) {
            byte translated = toStandard[text[i] & 0xFF];
            if (translated == BAD) {
                throw new IllegalArgumentException("not a Base64 character at " + i + ": " + (text[i] & 0xFF));
            }
            text[length] = translated;
            length += translated == SKIPPED ? 0 : 1;
        }
        return length;
    }
}
