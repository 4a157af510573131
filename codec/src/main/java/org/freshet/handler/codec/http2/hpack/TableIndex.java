package org.freshet.handler.codec.http2.hpack;

import java.util.Arrays;

/**
 * Finds entries of an encoder's table by field and by name. A slot remembers the last entry with its hash and forgets the one
 * before: what is forgotten is sent again in full, which is never wrong, and nothing needs to be removed when an entry is
 * evicted, because its number says that it has gone. There are twice to four times as many slots as entries, since most
 * connections have few.
 *
 * <p>Belongs to the thread of its connection.
 */
final class TableIndex {
    private static final int[] NONE = {-1};

    private static final int FEWEST_SLOTS = 16;

    private final DynamicTable table;

    // Numbers of entries. A power of two each, and as long as each other.
    private int[] byField = NONE;
    private int[] byName = NONE;

    TableIndex(DynamicTable table) {
        this.table = table;
    }

    /** Takes note of the entry that was added last. */
    void added() {
        if (table.count() * 2 > byField.length) {
            int slots = Math.max(FEWEST_SLOTS, byField.length * 2);
            byField = newSlots(slots);
            byName = newSlots(slots);
            for (int number = table.newest() - table.count() + 1; number != table.newest(); number++) {
                note(number);
            }
        }
        note(table.newest());
    }

    private static int[] newSlots(int count) {
        int[] slots = new int[count];
        Arrays.fill(slots, -1);
        return slots;
    }

    private void note(int number) {
        String name = table.name(number);
        byField[fieldSlot(name, table.value(number))] = number;
        byName[nameSlot(name)] = number;
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

    private int fieldSlot(String name, String value) {
        return spread(name.hashCode() * 31 + value.hashCode());
    }

    private int nameSlot(String name) {
        return spread(name.hashCode());
    }

    private int spread(int hash) {
        return (hash ^ hash >>> 8 ^ hash >>> 16 ^ hash >>> 24) & byField.length - 1;
    }
}
