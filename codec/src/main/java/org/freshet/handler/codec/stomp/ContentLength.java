package org.freshet.handler.codec.stomp;

/** Parses the value of {@code content-length}. Stateless; any thread. */
final class ContentLength {
    /** More digits could not be a real length, and would overflow. */
    private static final int MAX_DIGITS = 18;

    private ContentLength() {}

    /** Returns the number of bytes; -1 if the text is not a number in decimal digits. */
    static long parse(String text) {
        int digits = text.length();
        if (digits == 0 || digits > MAX_DIGITS) {
            return -1;
        }
        long length = 0;
        for (int i = 0; i < digits; i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            length = 10 * length + (c - '0');
        }
        return length;
    }
}
