package org.freshet.handler.codec.http2.hpack;

import java.util.Arrays;

/**
 * Finds entries of an encoder's table by field and by name. A slot remembers the last entry with its hash and forgets the one
 * before: what is forgotten is sent again in full, which is never wrong, and nothing needs to be removed when an entry is
 * evicted, because its number says that it has gone.
 *
 * <p>Belongs to the thread of its connection.
 */
final class TableIndex {
    /** Four times as many as entries of average size that fit into a table of 4,096 octets. */
    private static final int SLOTS = 256;

    private final DynamicTable table;
    private final int[] byField = new int[SLOTS];
    private final int[] byName = new int[SLOTS];

    TableIndex(DynamicTable table) {
        this.table = table;
        Arrays.fill(byField, -1);
        Arrays.fill(byName, -1);
    }

    /** Takes note of the entry that was added last. */
    void added(String name, String value) {
        byField[fieldSlot(name, value)] = table.newest();
        byName[nameSlot(name)] = table.newest();
    }

    /** The number of the entry with this field, or -1. */
    int find(String name, String value) {
        int number = byField[fieldSlot(name, value)];
        boolean isIt = table.holds(number)
                && table.value(number).equals(value)
                && table.name(number).equals(name);
        return isIt ? number : -1;
    }

    /** The number of an entry with this name, or -1. */
    int find(String name) {
        int number = byName[nameSlot(name)];
        return table.holds(number) && table.name(number).equals(name) ? number : -1;
    }

    private static int fieldSlot(String name, String value) {
        return spread(name.hashCode() * 31 + value.hashCode());
    }

    private static int nameSlot(String name) {
        return spread(name.hashCode());
    }

    private static int spread(int hash) {
        return (hash ^ hash >>> 8 ^ hash >>> 16 ^ hash >>> 24) & SLOTS - 1;
    }
}
