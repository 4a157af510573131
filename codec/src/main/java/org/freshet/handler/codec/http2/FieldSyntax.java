package org.freshet.handler.codec.http2;

import org.freshet.handler.codec.http.internal.HeaderSyntax;
import org.freshet.handler.codec.http2.ReceivedFields.MalformedException;

/**
 * Checks the characters of received fields (RFC 9113 8.2.1).
 *
 * <p>A peer sends most fields repeatedly, and the HPACK table then returns the same strings. Strings that passed at the same
 * place of an earlier block aren't checked again. Long values are not remembered, so an idle connection doesn't hold them.
 *
 * <p>Belongs to one connection and its thread.
 */
final class FieldSyntax {
    private static final int REMEMBERED_FIELDS = 16;
    private static final int MAX_REMEMBERED_CHARS = 256;

    /** Names and values that passed, alternating, by position; null before the first. */
    private String[] passed;

    /**
     * @param index the index of the name in the block of alternating names and values
     * @throws MalformedException if the name is empty, or a character is not allowed
     */
    void check(int index, String name, String value) throws MalformedException {
        if (hasPassed(index, name, value)) {
            return;
        }
        checkName(name);
        checkValue(value);
        if (index < 2 * REMEMBERED_FIELDS && name.length() + value.length() <= MAX_REMEMBERED_CHARS) {
            remember(index, name, value);
        }
    }

    /** Compares by identity, which takes the same time for any length. */
    @SuppressWarnings({"ReferenceEquality", "StringEquality"})
    private boolean hasPassed(int index, String name, String value) {
        return passed != null && index < passed.length && passed[index] == name && passed[index + 1] == value;
    }

    private void remember(int index, String name, String value) {
        if (passed == null) {
            passed = new String[2 * REMEMBERED_FIELDS];
        }
        passed[index] = name;
        passed[index + 1] = value;
    }

    private static void checkName(String name) throws MalformedException {
        require(!name.isEmpty(), "a field has no name");
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            require(HeaderSyntax.isTokenChar(c) && (c < 'A' || c > 'Z'), "a field's name is not a token in lower case");
        }
    }

    private static void checkValue(String value) throws MalformedException {
        int length = value.length();
        for (int i = 0; i < length; i++) {
            require(HeaderSyntax.isValueChar(value.charAt(i)), "a field's value contains a control character");
        }
        require(
                length == 0 || !isBlank(value.charAt(0)) && !isBlank(value.charAt(length - 1)),
                "a field's value begins or ends with whitespace");
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    private static void require(boolean condition, String otherwise) throws MalformedException {
        if (!condition) {
            throw new MalformedException(otherwise);
        }
    }

    /** Returns the value of a Content-Length in octets; -1 if it isn't a number, or has more than 18 digits. */
    static long contentLength(String value) {
        if (value.isEmpty() || value.length() > 18) {
            return -1;
        }
        long length = 0;
        for (int i = 0; i < value.length(); i++) {
            int digit = value.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            length = length * 10 + digit;
        }
        return length;
    }
}
