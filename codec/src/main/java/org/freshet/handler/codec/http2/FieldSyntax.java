package org.freshet.handler.codec.http2;

import org.freshet.handler.codec.http.internal.HeaderSyntax;
import org.freshet.handler.codec.http2.ReceivedFields.MalformedException;

/**
 * Checks the characters of received fields (RFC 9113 8.2.1).
 *
 * <p>A peer sends most fields again and again, and the HPACK table then gives the same strings: those that passed at the same place of an
 * earlier block are not looked at again. Long values are not remembered, so that an idle connection does not hold them.
 *
 * <p>Belongs to one connection and its thread.
 */
final class FieldSyntax {
    private static final int REMEMBERED_FIELDS = 16;
    private static final int MAX_REMEMBERED_CHARS = 256;

    /** Names and values that passed, alternating, by their place; null before the first. */
    private String[] passed;

    /**
     * @param index of the name in the block of alternating names and values
     * @throws MalformedException if there is a character that may not be there, or no name
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

    /** By identity, which takes no longer however long they are. */
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
            require(
                    HeaderSyntax.isTokenChar(c) && (c < 'A' || c > 'Z'),
                    "a field's name is not in lower case, or no token");
        }
    }

    private static void checkValue(String value) throws MalformedException {
        int length = value.length();
        for (int i = 0; i < length; i++) {
            require(HeaderSyntax.isValueChar(value.charAt(i)), "a field's value holds a control character");
        }
        require(
                length == 0 || !isBlank(value.charAt(0)) && !isBlank(value.charAt(length - 1)),
                "a field's value begins or ends with a blank");
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    private static void require(boolean condition, String otherwise) throws MalformedException {
        if (!condition) {
            throw new MalformedException(otherwise);
        }
    }
}
