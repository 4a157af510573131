package org.freshet.handler.codec.http2.hpack;

import java.util.Arrays;

/**
 * Finds entries of an encoder's table by field and by name, with open addressing. Evicting an entry removes nothing: its number
 * shows that it is gone, and its slot stays unused until the index is rebuilt from the current entries. At least half of the
 * slots are free.
 *
 * <p>Belongs to its connection's thread.
 */
final class TableIndex {
    private static final int FEWEST_SLOTS = 16;
    private static final int FREE = -1;
    private static final int[] NO_SLOTS = {FREE};

    private final DynamicTable table;

    // Numbers of entries, or FREE. Both arrays have the same length, a power of two.
    private int[] byField = NO_SLOTS;
    private int[] byName = NO_SLOTS;

    /** An upper bound on the slots in use. */
    private int used;

    TableIndex(DynamicTable table) {
        this.table = table;
    }

    /** Registers the latest entry. */
    void added() {
        if (++used * 2 <= byField.length) {
            note(table.newest());
            return;
        }
        used = table.count();
        int slots = Math.max(FEWEST_SLOTS, Integer.highestOneBit(3 * used) * 2);
        byField = newSlots(slots);
        byName = newSlots(slots);
        for (int number = table.newest() - used + 1; table.holds(number); number++) {
            note(number);
        }
    }

    private static int[] newSlots(int count) {
        int[] slots = new int[count];
        Arrays.fill(slots, FREE);
        return slots;
    }

    private void note(int number) {
        String name = table.name(number);
        byField[fieldSlot(name, table.value(number))] = number;
        byName[nameSlot(name)] = number;
    }

    /** The number of the entry with this field, or -1. */
    int find(String name, String value) {
        return byField[fieldSlot(name, value)];
    }

    /** The number of an entry with this name, or -1. */
    int find(String name) {
        return byName[nameSlot(name)];
    }

    /** The slot with the field, or the free one where it belongs. */
    private int fieldSlot(String name, String value) {
        int mask = byField.length - 1;
        int slot = spread(name.hashCode() * 31 + value.hashCode()) & mask;
        while (byField[slot] != FREE && !isField(byField[slot], name, value)) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private boolean isField(int number, String name, String value) {
        return table.holds(number)
                && table.value(number).equals(value)
                && table.name(number).equals(name);
    }

    /** The slot with an entry of that name, or the free one where it belongs. */
    private int nameSlot(String name) {
        int mask = byName.length - 1;
        int slot = spread(name.hashCode()) & mask;
        while (byName[slot] != FREE && !isName(byName[slot], name)) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private boolean isName(int number, String name) {
        return table.holds(number) && table.name(number).equals(name);
    }

    private static int spread(int hash) {
        return hash ^ hash >>> 8 ^ hash >>> 16 ^ hash >>> 24;
    }
}
