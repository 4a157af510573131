package org.freshet.handler.codec.http2;

import java.util.ArrayList;
import java.util.BitSet;

/**
 * Fields to be sent, in order, and which of them are sensitive: those are kept out of the tables of everybody on the way (RFC 7541 7.1.3).
 *
 * <p>Belongs to the thread of its connection.
 */
final class FieldList {
    /** Texts of a usual head. */
    private static final int CAPACITY = 24;

    /** Names and values, alternating. */
    private final ArrayList<String> texts = new ArrayList<>(CAPACITY);

    /** By the fields' numbers; null while there is none. */
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
