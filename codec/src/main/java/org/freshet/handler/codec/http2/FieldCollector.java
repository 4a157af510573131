package org.freshet.handler.codec.http2;

import java.util.ArrayList;
import java.util.List;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http2.hpack.FieldSink;
import org.freshet.handler.codec.http2.hpack.HpackEncoder;

/**
 * Collects the fields of one block after another, within limits of size and count. Fields beyond the limits are counted and
 * dropped: the block must be decoded to its end to keep the HPACK table correct.
 *
 * <p>Belongs to its connection's thread.
 */
final class FieldCollector implements FieldSink {
    /** The overhead that RFC 9113 6.5.2 adds to a field's length. */
    private static final int FIELD_OVERHEAD = 32;

    /** A peer that exceeds the limit by this factor is not mistaken but attacking. */
    private static final int HOSTILE_FACTOR = 4;

    /** Cookies may be split into one field per crumb, and browsers send many (RFC 9113 8.2.3). */
    private static final int MAX_COOKIES = 100;

    private final int maxSize;
    private final int maxFields;

    private final ArrayList<String> fields = new ArrayList<>();

    /** Names of fields the sender wants kept out of all tables, besides the names that always are; null if no name was marked. */
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

    /** Octets of names and values, plus 32 per field. */
    long size() {
        return size;
    }

    /** Marks the fields the sender wants kept out of all tables. */
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
