package org.freshet.handler.codec.http.server;

import java.util.List;

/**
 * The elements of a header that is a list, the last one first. A comma in quotes doesn't separate; an escape in quotes isn't known, so a
 * quote always begins or ends a quoted part, and what a client has sent cannot hide what a proxy has put behind it. For one thread.
 */
final class BackwardElements {
    private final List<String> values;
    private int index;

    /** The end of the next element in the present value; -1 if that has no more. */
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
