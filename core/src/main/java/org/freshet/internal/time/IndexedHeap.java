package org.freshet.internal.time;

import java.util.Arrays;

/**
 * A binary heap whose elements know their positions, so that any element can be removed in logarithmic time. Only {@link #reserve}
 * allocates, so a caller can allocate everything before it changes anything. Not thread-safe.
 *
 * @param <E> in one heap at a time; its order must not change while it is there
 */
public final class IndexedHeap<E extends IndexedHeap.Element> {
    /** Base class of the elements. */
    public static class Element {
        private int index = -1;

        /** Whether the element is in a heap. */
        public final boolean isInHeap() {
            return index >= 0;
        }
    }

    /** Determines which element comes first. */
    @FunctionalInterface
    public interface Order<E> {
        boolean isBefore(E one, E other);
    }

    private static final int FIRST_CAPACITY = 16;

    private final Order<E> order;
    private Element[] slots = new Element[FIRST_CAPACITY];
    private int size;

    public IndexedHeap(Order<E> order) {
        this.order = order;
    }

    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /** Returns the first element, or null if the heap is empty. */
    public E first() {
        return at(0);
    }

    /** Makes room for the given number of elements. If there is no memory for it, nothing changes. */
    public void reserve(int elements) {
        if (elements > slots.length) {
            slots = Arrays.copyOf(slots, Math.max(elements, 2 * slots.length));
        }
    }

    public void add(E added) {
        reserve(size + 1);
        moveUp(size++, added);
    }

    /** Removes an element that is in this heap. */
    public E remove(E removed) {
        int hole = indexOf(removed);
        E last = at(--size);
        slots[size] = null;
        place(-1, removed);
        if (last != removed) {
            moveDown(hole, last);
            if (slots[hole] == last) {
                moveUp(hole, last);
            }
        }
        return removed;
    }

    private void moveUp(int from, E moved) {
        int hole = from;
        while (hole > 0 && order.isBefore(moved, at(parent(hole)))) {
            place(hole, at(parent(hole)));
            hole = parent(hole);
        }
        place(hole, moved);
    }

    private void moveDown(int from, E moved) {
        int hole = from;
        for (int child = 2 * hole + 1; child < size; child = 2 * hole + 1) {
            if (child + 1 < size && order.isBefore(at(child + 1), at(child))) {
                child++;
            }
            if (!order.isBefore(at(child), moved)) {
                break;
            }
            place(hole, at(child));
            hole = child;
        }
        place(hole, moved);
    }

    @SuppressWarnings("unchecked") // only add() fills a slot
    private E at(int index) {
        return (E) slots[index];
    }

    private int indexOf(Element element) {
        return element.index;
    }

    /**
     * @param index -1 means not in the heap
     */
    private void place(int index, Element element) {
        element.index = index;
        if (index >= 0) {
            slots[index] = element;
        }
    }

    private static int parent(int index) {
        return (index - 1) / 2;
    }
}
