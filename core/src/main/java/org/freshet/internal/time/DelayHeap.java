package org.freshet.internal.time;

import java.util.Arrays;
import org.freshet.internal.time.SafetyTimer.Pending;

/**
 * Pending tasks with the earliest deadline first: a binary heap whose elements know their places, so that one in the midst can be
 * removed in logarithmic time. Guarded by the timer's lock.
 */
final class DelayHeap {
    private static final int FIRST_CAPACITY = 16;

    private Pending[] slots = new Pending[FIRST_CAPACITY];
    private int size;

    int size() {
        return size;
    }

    /** Null if it is empty. */
    Pending first() {
        return slots[0];
    }

    void add(Pending added) {
        if (size == slots.length) {
            slots = Arrays.copyOf(slots, 2 * size); // may throw, and has then changed nothing
        }
        moveUp(size++, added);
    }

    /** Takes one out that is in it; allocates nothing. */
    Pending remove(Pending removed) {
        int hole = removed.index;
        Pending last = slots[--size];
        slots[size] = null;
        removed.index = -1;
        if (last != removed) {
            moveDown(hole, last);
            if (slots[hole] == last) {
                moveUp(hole, last);
            }
        }
        return removed;
    }

    private void moveUp(int from, Pending moved) {
        int hole = from;
        while (hole > 0 && isBefore(moved, slots[parent(hole)])) {
            place(hole, slots[parent(hole)]);
            hole = parent(hole);
        }
        place(hole, moved);
    }

    private void moveDown(int from, Pending moved) {
        int hole = from;
        for (int child = 2 * hole + 1; child < size; child = 2 * hole + 1) {
            if (child + 1 < size && isBefore(slots[child + 1], slots[child])) {
                child++;
            }
            if (!isBefore(slots[child], moved)) {
                break;
            }
            place(hole, slots[child]);
            hole = child;
        }
        place(hole, moved);
    }

    private void place(int index, Pending pending) {
        slots[index] = pending;
        pending.index = index;
    }

    private static int parent(int index) {
        return (index - 1) / 2;
    }

    /** By difference: nanoTime may overflow. */
    private static boolean isBefore(Pending one, Pending other) {
        return one.deadlineNanos - other.deadlineNanos < 0;
    }
}
