package org.freshet.handler.codec.http.cookie;

/**
 * Iterates over the pairs of a {@code Cookie} or {@code Set-Cookie} header, which are separated by semicolons, without
 * copying.
 *
 * <p>Belongs to one thread. The indexes show where the current pair's name and value are in the header, including the
 * blanks after the name and around the value.
 */
final class CookiePairs {
    private final String header;
    private int next;

    int nameBegin;
    int nameEnd;
    int valueBegin;

    /** Less than {@link #valueBegin} if there is no {@code =}. */
    int valueEnd;

    CookiePairs(String header) {
        this.header = header;
    }

    /** Moves to the text before the first semicolon, even if it is blank. */
    void advanceToFirst() {
        while (next < header.length() && isBlank(header.charAt(next))) {
            next++;
        }
        locateNext();
    }

    /** Advances to the next pair that is not blank. Returns false if there are no more. */
    boolean advance() {
        while (next < header.length() && isBetweenPairs(header.charAt(next))) {
            next++;
        }
        if (next == header.length()) {
            return false;
        }
        locateNext();
        return true;
    }

    private void locateNext() {
        int end = header.indexOf(';', next);
        if (end < 0) {
            end = header.length();
        }
        locate(next, end);
        next = end;
    }

    private void locate(int begin, int end) {
        int equals = header.indexOf('=', begin);
        boolean hasValue = equals >= 0 && equals < end;
        nameBegin = begin;
        nameEnd = hasValue ? equals : end;
        valueBegin = hasValue ? equals + 1 : end;
        valueEnd = hasValue ? end : -1;
    }

    boolean hasValue() {
        return valueEnd >= 0;
    }

    /** Excludes the blanks around the name and value. */
    void trim() {
        nameEnd = trimmedEnd(nameBegin, nameEnd);
        if (hasValue()) {
            while (valueBegin < valueEnd && isBlank(header.charAt(valueBegin))) {
                valueBegin++;
            }
            valueEnd = trimmedEnd(valueBegin, valueEnd);
        }
    }

    /** Excludes one comma at the end of the value; commas once separated several cookies in one header. */
    void dropComma() {
        if (hasValue() && valueEnd > valueBegin && header.charAt(valueEnd - 1) == ',') {
            valueEnd--;
        }
    }

    private int trimmedEnd(int begin, int end) {
        int trimmed = end;
        while (trimmed > begin && isBlank(header.charAt(trimmed - 1))) {
            trimmed--;
        }
        return trimmed;
    }

    boolean nameIs(String name) {
        return name.length() == nameEnd - nameBegin && header.regionMatches(true, nameBegin, name, 0, name.length());
    }

    String value() {
        return hasValue() ? header.substring(valueBegin, valueEnd) : "";
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    private static boolean isBetweenPairs(char c) {
        return c == ';' || c == ',' || c <= ' ' && (isBlank(c) || c >= '\n' && c <= '\r');
    }
}
