package org.freshet.handler.codec.http2;

import java.util.ArrayList;
import java.util.List;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http2.hpack.FieldSink;
import org.freshet.handler.codec.http2.hpack.HpackEncoder;

/**
 * Takes the fields of one block after the other, within the limits of size and count. What is beyond is counted and dropped,
 * since the block has to be decoded to its end for the sake of the table.
 *
 * <p>Belongs to the thread of its connection.
 */
final class FieldCollector implements FieldSink {
    /** What RFC 9113 6.5.2 adds to a field's length. */
    private static final int FIELD_OVERHEAD = 32;

    /** Beyond so many times the limit, a peer is not mistaken but attacks. */
    private static final int HOSTILE_FACTOR = 4;

    /** Crumbs of cookies, of which browsers send many, are fields of their own (RFC 9113 8.2.3). */
    private static final int MAX_COOKIES = 100;

    private final int maxSize;
    private final int maxFields;

    private final ArrayList<String> fields = new ArrayList<>();

    /** Names of fields that are to stay out of all tables, apart from those that do so anyway; null while there is none. */
    private List<String> sensitive;

    private long size;
    private int count;
    private int cookies;

    FieldCollector(int maxSize, int maxFields) {
        this.maxSize = maxSize;
        this.maxFields = maxFields;
    }

    void clear() {
        fields.clear();
        sensitive = null;
        size = 0;
        count = 0;
        cookies = 0;
    }

    @Override
    public void field(String name, String value, boolean neverIndexed) {
        size += name.length() + value.length() + FIELD_OVERHEAD;
        if (name.equals("cookie")) {
            cookies++;
        } else {
            count++;
        }
        if (isWithinLimits()) {
            fields.add(name);
            fields.add(value);
            if (neverIndexed && !HpackEncoder.isAlwaysSensitive(name)) {
                addSensitive(name);
            }
        }
    }

    private void addSensitive(String name) {
        if (sensitive == null) {
            sensitive = new ArrayList<>(2);
        }
        sensitive.add(name);
    }

    boolean isWithinLimits() {
        return size <= maxSize && count <= maxFields && cookies <= MAX_COOKIES;
    }

    boolean isHostile() {
        return size > (long) HOSTILE_FACTOR * maxSize;
    }

    /** Octets of names and values, with 32 for each field. */
    long size() {
        return size;
    }

    /** Marks what the sender wants to be kept out of all tables. */
    void markSensitive(HttpHeaders headers) {
        if (sensitive != null) {
            sensitive.forEach(headers::markSensitive);
        }
    }

    /** Names and values, alternating. Valid until the next block. */
    List<String> fields() {
        return fields;
    }
}
