package org.freshet.handler.codec.stomp;

import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;

/**
 * The headers of a frame, in order. Names are case-sensitive. If a name is repeated, the first header has its value;
 * the others are history.
 *
 * <p>Names and values are stored unescaped. A name must not be empty, and neither may contain a NUL. Other text that a
 * version cannot express is refused by {@link StompFrameEncoder}. Look-ups are linear. Not thread-safe.
 */
public final class StompHeaders implements Iterable<Map.Entry<String, String>> {
    public static final String ACCEPT_VERSION = "accept-version";
    public static final String ACK = "ack";
    public static final String CONTENT_LENGTH = "content-length";
    public static final String CONTENT_TYPE = "content-type";
    public static final String DESTINATION = "destination";
    public static final String HEART_BEAT = "heart-beat";
    public static final String HOST = "host";
    public static final String ID = "id";
    public static final String LOGIN = "login";
    public static final String MESSAGE = "message";
    public static final String MESSAGE_ID = "message-id";
    public static final String PASSCODE = "passcode";
    public static final String RECEIPT = "receipt";
    public static final String RECEIPT_ID = "receipt-id";
    public static final String SERVER = "server";
    public static final String SESSION = "session";
    public static final String SUBSCRIPTION = "subscription";
    public static final String TRANSACTION = "transaction";
    public static final String VERSION = "version";

    private static final int INITIAL_HEADERS = 8;

    /** Names at even indexes, each followed by its value. */
    private String[] texts = new String[2 * INITIAL_HEADERS];

    private int size;

    public StompHeaders() {}

    /** Returns the number of headers, including repeated ones. */
    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /** Returns how many characters a frame has for them, each with its separators. */
    long length() {
        long length = 0;
        for (int i = 0; i < 2 * size; i++) {
            length += texts[i].length() + 1;
        }
        return length;
    }

    /** Returns the value of the first header with that name; null if there is no such header. */
    public String get(String name) {
        int i = indexOf(name, 0);
        return i < 0 ? null : valueAt(i);
    }

    /** Returns a copy of the values of all headers with that name, in order; may be empty. */
    public List<String> getAll(String name) {
        List<String> values = new ArrayList<>();
        for (int i = indexOf(name, 0); i >= 0; i = indexOf(name, i + 1)) {
            values.add(valueAt(i));
        }
        return values;
    }

    public boolean contains(String name) {
        return indexOf(name, 0) >= 0;
    }

    /**
     * Adds a header at the end. If an earlier header has the same name, {@link #get} still returns the earlier one.
     *
     * @throws IllegalArgumentException if the name is empty, or the name or value contains a NUL
     */
    public StompHeaders add(String name, String value) {
        check(name, value);
        append(name, value);
        return this;
    }

    /** For text that is known to be valid. */
    void append(String name, String value) {
        if (2 * size == texts.length) {
            texts = Arrays.copyOf(texts, 4 * size);
        }
        texts[2 * size] = name;
        texts[2 * size + 1] = value;
        size++;
    }

    /**
     * Makes this the only header with that name: in the place of the first one, or else at the end.
     *
     * @throws IllegalArgumentException if the name is empty, or the name or value contains a NUL
     */
    public StompHeaders set(String name, String value) {
        check(name, value);
        int first = indexOf(name, 0);
        if (first < 0) {
            append(name, value);
        } else {
            texts[2 * first + 1] = value;
            removeFrom(first + 1, name);
        }
        return this;
    }

    /** Removes all headers with that name. */
    public StompHeaders remove(String name) {
        removeFrom(0, name);
        return this;
    }

    private void removeFrom(int start, String name) {
        int kept = start;
        for (int i = start; i < size; i++) {
            if (!nameAt(i).equals(name)) {
                texts[2 * kept] = texts[2 * i];
                texts[2 * kept + 1] = texts[2 * i + 1];
                kept++;
            }
        }
        Arrays.fill(texts, 2 * kept, 2 * size, null);
        size = kept;
    }

    private int indexOf(String name, int start) {
        Objects.requireNonNull(name, "name");
        for (int i = start; i < size; i++) {
            if (texts[2 * i].equals(name)) {
                return i;
            }
        }
        return -1;
    }

    String nameAt(int index) {
        return texts[2 * index];
    }

    String valueAt(int index) {
        return texts[2 * index + 1];
    }

    private static void check(String name, String value) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(value, "value");
        if (name.isEmpty()) {
            throw new IllegalArgumentException("header name is empty; its value: " + value);
        }
        if (name.indexOf('\0') >= 0 || value.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a header must not contain a NUL: " + name.replace('\0', '?'));
        }
    }

    /** Iterates over immutable entries, in order. The headers must not be changed meanwhile. */
    @Override
    public Iterator<Map.Entry<String, String>> iterator() {
        return new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < size;
            }

            @Override
            public Map.Entry<String, String> next() {
                if (next >= size) {
                    throw new NoSuchElementException("no more headers: " + size);
                }
                Map.Entry<String, String> entry = new SimpleImmutableEntry<>(nameAt(next), valueAt(next));
                next++;
                return entry;
            }
        };
    }

    /** Returns whether the other object has the same headers in the same order. */
    @Override
    public boolean equals(Object other) {
        return other instanceof StompHeaders headers
                && Arrays.equals(texts, 0, 2 * size, headers.texts, 0, 2 * headers.size);
    }

    @Override
    public int hashCode() {
        int hash = size;
        for (int i = 0; i < 2 * size; i++) {
            hash = 31 * hash + texts[i].hashCode();
        }
        return hash;
    }

    /** For logs; the value of {@code passcode} is left out. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < size; i++) {
            text.append(i == 0 ? "" : ", ").append(nameAt(i)).append(": ");
            text.append(nameAt(i).equals(PASSCODE) ? "***" : valueAt(i));
        }
        return text.append('}').toString();
    }
}
