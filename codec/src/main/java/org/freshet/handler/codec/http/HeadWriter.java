package org.freshet.handler.codec.http;

import java.util.Map;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/**
 * Writes header sections in two steps: computes the length, then writes into an array of that size. The first step
 * refuses anything that could break the head apart, so an invalid message is never partly written.
 *
 * <p>Stateless; any thread.
 */
final class HeadWriter {
    private HeadWriter() {}

    /**
     * The length of the headers in bytes, including line ends.
     *
     * @throws IllegalArgumentException if a name or value contains characters that must not be sent
     */
    static int length(HttpHeaders headers) {
        DefaultHttpHeaders flat = flat(headers);
        int length = 0;
        if (flat != null) {
            for (int i = 0; i < flat.size(); i++) {
                length += lengthOf(flat, i);
            }
        } else {
            for (Map.Entry<String, String> header : headers) {
                length += checkedLength(header.getKey(), header.getValue());
            }
        }
        return length;
    }

    /**
     * The length of the headers in about the bytes that {@link #length} returns, for a message that waits. Refuses nothing and creates
     * no Strings; reading headers doesn't change it.
     */
    static long heldLength(HttpHeaders headers) {
        DefaultHttpHeaders flat = flat(headers);
        long length = 0;
        if (flat != null) {
            for (int i = 0; i < flat.size(); i++) {
                length += flat.nameLength(i) + flat.valueLength(i) + 4;
            }
        } else {
            for (Map.Entry<String, String> header : headers) {
                length += header.getKey().length() + header.getValue().length() + 4;
            }
        }
        return length;
    }

    /** Writes the headers and returns the index after them. They must not have changed since {@link #length}. */
    static int write(HttpHeaders headers, byte[] array, int from) {
        DefaultHttpHeaders flat = flat(headers);
        int at = from;
        if (flat != null) {
            for (int i = 0; i < flat.size(); i++) {
                at = write(flat, i, array, at);
            }
        } else {
            for (Map.Entry<String, String> header : headers) {
                at = write(header.getKey(), header.getValue(), array, at);
            }
        }
        return at;
    }

    /** Null if the headers are of a user's class, which may override the accessors. */
    private static DefaultHttpHeaders flat(HttpHeaders headers) {
        boolean own = headers.getClass() == DefaultHttpHeaders.class || headers.getClass() == TrailerHeaders.class;
        return own ? (DefaultHttpHeaders) headers : null;
    }

    private static int lengthOf(DefaultHttpHeaders headers, int i) {
        if (!headers.validate) {
            return checkedLength(headers.nameAt(i), headers.valueAt(i));
        }
        if (headers.headAt(i) != null) {
            return headers.valueEnd(i) - headers.lineStart(i) + 2;
        }
        return headers.nameAt(i).length() + headers.valueAt(i).length() + 4;
    }

    private static int checkedLength(String name, String value) {
        HeaderSyntax.checkUncheckedName(name);
        HeaderSyntax.checkUncheckedValue(name, value);
        return name.length() + value.length() + 4;
    }

    private static int write(DefaultHttpHeaders headers, int i, byte[] array, int from) {
        byte[] head = headers.validate ? headers.headAt(i) : null;
        if (head != null) {
            int start = headers.lineStart(i);
            int length = headers.valueEnd(i) - start;
            System.arraycopy(head, start, array, from, length);
            return lineEnd(array, from + length);
        }
        return write(headers.nameAt(i), headers.valueAt(i), array, from);
    }

    private static int write(String name, String value, byte[] array, int from) {
        int at = write(name, array, from);
        array[at++] = ':';
        array[at++] = ' ';
        return lineEnd(array, write(value, array, at));
    }

    static int lineEnd(byte[] array, int at) {
        array[at] = '\r';
        array[at + 1] = '\n';
        return at + 2;
    }

    /** Writes a Latin-1 text. */
    @SuppressWarnings("deprecation") // takes the low byte of each character, faster than encoders do
    static int write(String latin1, byte[] array, int at) {
        int length = latin1.length();
        latin1.getBytes(0, length, array, at);
        return at + length;
    }
}
