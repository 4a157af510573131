package org.freshet.handler.codec.http2;

import java.util.ArrayList;
import java.util.BitSet;

/**
 * The fields to send, in order, and which of them are sensitive. Sensitive fields are kept out of the HPACK tables of every hop
 * (RFC 7541 7.1.3).
 *
 * <p>Belongs to its connection's thread.
 */
final class FieldList {
    /** Strings in a typical head. */
    private static final int CAPACITY = 24;

    /** The most strings in a list worth keeping. */
    private static final int MAX_KEPT = 64;

    /** Names and values, alternating. */
    private final ArrayList<String> texts = new ArrayList<>(CAPACITY);

    /** Indexed by field number; null if no field is sensitive. */
    private BitSet sensitive;

    /** @param texts names and values, alternating */
    static FieldList of(String... texts) {
        FieldList fields = new FieldList();
        for (int i = 0; i < texts.length; i += 2) {
            fields.add(texts[i], texts[i + 1]);
        }
        return fields;
    }

    /** @param name in lower case */
    void add(String name, String value) {
        texts.add(name);
        texts.add(value);
    }

    void addSensitive(String name, String value) {
        if (sensitive == null) {
            sensitive = new BitSet();
        }
        sensitive.set(size());
        add(name, value);
    }

    /** Removes all fields. Returns false if there were so many that the list isn't worth keeping. */
    boolean clear() {
        boolean isShort = texts.size() <= MAX_KEPT;
        texts.clear();
        sensitive = null;
        return isShort;
    }

    int size() {
        return texts.size() / 2;
    }

    String name(int index) {
        return texts.get(2 * index);
    }

    String value(int index) {
        return texts.get(2 * index + 1);
    }

    boolean isSensitive(int index) {
        return sensitive != null && sensitive.get(index);
    }
}
