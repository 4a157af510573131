package org.freshet.handler.codec.http.server;

import java.util.List;

/**
 * Iterates over the elements of a list header, last one first. A comma in quotes doesn't separate elements. Escapes in
 * quotes are not supported, so every quotation mark begins or ends a quoted part. This way, nothing that a client sends
 * can hide what a proxy appends to it. Belongs to one thread.
 */
final class BackwardElements {
    private final List<String> values;
    private int index;

    /** The end of the next element in the current value; -1 if there are no more in it. */
    private int end = -1;

    BackwardElements(List<String> values) {
        this.values = values;
        index = values.size();
    }

    /** The next element towards the front, without blanks around it; null if there are no more. */
    String next() {
        if (end < 0) {
            if (index == 0) {
                return null;
            }
            end = values.get(--index).length();
        }
        String value = values.get(index);
        int from = startOfElement(value, end);
        String element = value.substring(from, end).strip();
        end = from - 1;
        return element;
    }

    private static int startOfElement(String value, int end) {
        boolean isQuoted = false;
        int at = end;
        while (at > 0 && (isQuoted || value.charAt(at - 1) != ',')) {
            at--;
            isQuoted ^= value.charAt(at) == '"';
        }
        return at;
    }
}
