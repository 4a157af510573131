package org.freshet.internal.handler;

/**
 * A queue whose elements contain the links, so nothing here allocates: an element that moves from one chain to another can't be lost when
 * memory is exhausted. Not thread-safe.
 *
 * @param <E> an element is in one chain at a time
 */
public final class Chain<E extends Chain.Link> {
    /** Base class of the elements. */
    public static class Link {
        private Link next;
    }

    /** Null while the chain is empty. */
    private Link first;

    /** Null while the chain is empty. */
    private Link last;

    public boolean isEmpty() {
        return first == null;
    }

    public void add(E added) {
        append(added, added);
    }

    /** Returns null if the chain is empty. */
    @SuppressWarnings("unchecked") // only add() links
    public E poll() {
        Link polled = first;
        if (polled != null) {
            first = polled.next;
            polled.next = null;
            if (first == null) {
                last = null; // otherwise it would stay reachable
            }
        }
        return (E) polled;
    }

    /** Moves all elements of another chain to the end of this one. */
    public void addAll(Chain<E> other) {
        if (other.first != null) {
            append(other.first, other.last);
            other.first = null;
            other.last = null;
        }
    }

    private void append(Link from, Link to) {
        if (first == null) {
            first = from;
        } else {
            last.next = from;
        }
        last = to;
    }
}
