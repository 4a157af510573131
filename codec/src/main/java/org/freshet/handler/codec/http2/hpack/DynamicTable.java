package org.freshet.handler.codec.http2.hpack;

import java.util.Arrays;

/**
 * The entries that one side has added and not yet evicted (RFC 7541 2.3.2 and 4). Each entry has a number that counts up from
 * zero and never changes; the index on the wire counts down from the newest.
 *
 * <p>Belongs to its connection's thread.
 */
final class DynamicTable {
    /** The overhead that RFC 7541 4.1 adds to an entry's length. */
    static final int ENTRY_OVERHEAD = 32;

    private String[] names = {};
    private String[] values = {};
    private int maxSize;
    private int size;
    private int oldest;
    private int next;

    DynamicTable(int maxSize) {
        this.maxSize = maxSize;
    }

    int maxSize() {
        return maxSize;
    }

    int size() {
        return size;
    }

    int count() {
        return next - oldest;
    }

    /** Whether the entry with that number is still in the table. */
    boolean holds(int number) {
        return number - oldest >= 0 && next - number > 0;
    }

    /** The number of the latest entry. */
    int newest() {
        return next - 1;
    }

    String name(int number) {
        return names[number & names.length - 1];
    }

    String value(int number) {
        return values[number & values.length - 1];
    }

    void setMaxSize(int maxSize) {
        this.maxSize = maxSize;
        evictTo(maxSize);
    }

    /** Adds an entry, evicting older ones to make room. An entry larger than the whole table empties it and isn't added. */
    void add(String name, String value) {
        int entrySize = entrySize(name, value);
        evictTo(Math.max(0, maxSize - entrySize));
        if (entrySize > maxSize) {
            return;
        }
        if (count() == names.length) {
            grow();
        }
        names[next & names.length - 1] = name;
        values[next & values.length - 1] = value;
        next++;
        size += entrySize;
    }

    static int entrySize(String name, String value) {
        return name.length() + value.length() + ENTRY_OVERHEAD;
    }

    private void evictTo(int limit) {
        while (size > limit) {
            int slot = oldest++ & names.length - 1;
            size -= entrySize(names[slot], values[slot]);
            names[slot] = null;
            values[slot] = null;
        }
    }

    private void grow() {
        int length = Math.max(8, names.length * 2);
        String[] moreNames = new String[length];
        String[] moreValues = new String[length];
        for (int number = oldest; number != next; number++) {
            moreNames[number & length - 1] = name(number);
            moreValues[number & length - 1] = value(number);
        }
        names = moreNames;
        values = moreValues;
    }

    @Override
    public String toString() {
        return count() + " entries, " + size + " of " + maxSize + " octets: " + Arrays.toString(names);
    }
}
