package org.freshet.internal.time;

import java.util.Arrays;

/**
 * A binary heap whose elements know their places, so that one in the midst can be removed in logarithmic time. Only {@link #reserve} takes
 * memory, so that a caller can have it take all before it changes anything. Not for several threads.
 *
 * @param <E> in one heap at a time; its order must not change meanwhile
 */
public final class IndexedHeap<E extends IndexedHeap.Element> {
    /** What is in a heap. */
    public static class Element {
        private int index = -1;

        /** Whether it is in a heap. */
        public final boolean isInHeap() {
            return index >= 0;
        }
    }

    /** Says which element is first. */
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

    /** Null if it is empty. */
    public E first() {
        return at(0);
    }

    /** So many elements fit from now on. Changes nothing if there is no memory for them. */
    public void reserve(int elements) {
        if (elements > slots.length) {
            slots = Arrays.copyOf(slots, Math.max(elements, 2 * slots.length));
        }
    }

    public void add(E added) {
        reserve(size + 1);
        moveUp(size++, added);
    }

    /** Takes one out that is in it. */
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

    /** @param index -1 for outside of the heap */
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
