package org.freshet.handler.codec.http.internal;

import java.util.List;

/**
 * Defines which characters are allowed in a message's head (RFC 9110 5.1 and 5.5, RFC 9112 3 and 4). Compares whole
 * characters, never their low bytes: U+010A is not a line feed, but is still refused where only Latin-1 can be sent.
 *
 * <p>Stateless; any thread.
 */
public final class HeaderSyntax {
    private static final int TOKEN = 1;
    private static final int VALUE = 2;
    private static final int TARGET = 4;

    private static final byte[] CLASSES = classes();

    private HeaderSyntax() {}

    private static byte[] classes() {
        byte[] classes = new byte[256];
        for (int c = 0; c < classes.length; c++) {
            boolean control = c < 0x20 || c == 0x7f;
            boolean alphanumeric = c >= '0' && c <= '9' || (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
            int token = alphanumeric && c < 0x80 || c < 0x80 && "!#$%&'*+-.^_`|~".indexOf(c) >= 0 ? TOKEN : 0;
            int value = !control || c == '\t' ? VALUE : 0;
            int target = !control && c != ' ' ? TARGET : 0;
            classes[c] = (byte) (token | value | target);
        }
        return classes;
    }

    /** Removes the blanks around a text. Unlike {@link String#trim}, it keeps controls, so that they can be refused. */
    public static String withoutBlanks(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && text.charAt(from) == ' ') {
            from++;
        }
        while (to > from && text.charAt(to - 1) == ' ') {
            to--;
        }
        return text.substring(from, to);
    }

    /** Whether this is a tchar, the characters allowed in methods and header names. */
    public static boolean isTokenChar(int c) {
        return is(c, TOKEN);
    }

    /** Whether the character is allowed in a header's value: anything but controls other than HT. */
    public static boolean isValueChar(int c) {
        return is(c, VALUE);
    }

    /** Whether the character is allowed in a request's target: anything but blanks and controls. */
    public static boolean isTargetChar(int c) {
        return is(c, TARGET);
    }

    private static boolean is(int c, int kind) {
        return c >>> 8 == 0 && (CLASSES[c] & kind) != 0;
    }

    /** Whether the text is a token: one or more tchars. */
    public static boolean isToken(CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isTokenChar(text.charAt(i))) {
                return false;
            }
        }
        return text.length() != 0;
    }

    /**
     * @return the name
     * @throws NullPointerException if the name is null
     * @throws IllegalArgumentException if the name is not a token
     */
    public static String checkName(String name) {
        if (name == null) {
            throw new NullPointerException("name");
        }
        return checkToken("a header's name", name);
    }

    /**
     * @param what describes the text in the exception's message
     * @return the text
     * @throws IllegalArgumentException if the text is not a token
     */
    public static String checkToken(String what, String text) {
        int bad = firstOutside(text, TOKEN);
        if (bad >= 0) {
            throw refused(what, text, bad);
        }
        if (text.isEmpty()) {
            throw new IllegalArgumentException(what + " is empty");
        }
        return text;
    }

    /**
     * @param name the header's name, for the exception's message
     * @return the value
     * @throws NullPointerException if the value is null
     * @throws IllegalArgumentException if the value contains a control other than HT, or a character past Latin-1
     */
    public static String checkValue(String name, String value) {
        if (value == null) {
            throw new NullPointerException("the value of " + name);
        }
        int bad = firstOutside(value, VALUE);
        if (bad >= 0) {
            throw refused("the value of " + name, value, bad);
        }
        return value;
    }

    /**
     * @return the reason phrase
     * @throws IllegalArgumentException if the phrase contains a control other than HT, or a character past Latin-1
     */
    public static String checkReason(String reason) {
        int bad = firstOutside(reason, VALUE);
        if (bad >= 0) {
            throw refused("the reason phrase", reason, bad);
        }
        return reason;
    }

    /**
     * Checks that a request's target contains nothing that would end it: no blanks, controls, or characters past
     * Latin-1. An empty target is allowed; it is sent as {@code /}.
     *
     * @return the target
     */
    public static String checkTarget(String target) {
        int bad = firstOutside(target, TARGET);
        if (bad >= 0) {
            throw refused("the request target", target, bad);
        }
        return target;
    }

    /** Refuses characters that would break a head apart, in a name that was not checked when it was set. */
    public static void checkUncheckedName(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (!is(c, TARGET) || c == ':') {
                throw refused("a header's name", name, i);
            }
        }
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a header's name is empty");
        }
    }

    /** Refuses characters that would break a head apart, in a value that was not checked when it was set. */
    public static void checkUncheckedValue(String name, String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '\r' || c == '\n' || c == 0 || c > 0xff) {
                throw refused("the value of " + name, value, i);
            }
        }
    }

    private static int firstOutside(String text, int kind) {
        for (int i = 0; i < text.length(); i++) {
            if (!is(text.charAt(i), kind)) {
                return i;
            }
        }
        return -1;
    }

    private static IllegalArgumentException refused(String what, String text, int at) {
        return new IllegalArgumentException(what + " must not contain " + describe(text.charAt(at))
                + ", but does at index " + at + ": " + printable(text));
    }

    private static String describe(char c) {
        return c > 0x20 && c < 0x7f ? "'" + c + "'" : String.format("U+%04X", (int) c);
    }

    /** The text, shortened and with controls escaped, fit for a log. */
    public static String printable(String text) {
        StringBuilder printable = new StringBuilder();
        for (int i = 0; i < text.length() && i < 128; i++) {
            char c = text.charAt(i);
            if (c >= 0x20 && c < 0x7f) {
                printable.append(c);
            } else {
                printable.append(String.format("\\u%04x", (int) c));
            }
        }
        return text.length() > 128 ? printable + "..." : printable.toString();
    }

    /** Whether a comma-separated list, which may span several headers, contains this token. */
    public static boolean hasToken(List<String> values, String token) {
        for (String value : values) {
            for (int from = 0; from <= value.length(); ) {
                int comma = value.indexOf(',', from);
                int to = comma < 0 ? value.length() : comma;
                if (isToken(value, from, to, token)) {
                    return true;
                }
                from = to + 1;
            }
        }
        return false;
    }

    private static boolean isToken(String value, int from, int to, String token) {
        int start = from;
        int end = to;
        while (start < end && isBlank(value.charAt(start))) {
            start++;
        }
        while (end > start && isBlank(value.charAt(end - 1))) {
            end--;
        }
        return end - start == token.length() && value.regionMatches(true, start, token, 0, token.length());
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }
}
