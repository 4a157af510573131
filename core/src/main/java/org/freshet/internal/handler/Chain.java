package org.freshet.internal.handler;

/**
 * A queue whose elements link themselves, so that nothing here takes memory: what moves from one chain to another can't be lost when there is
 * none. Not for several threads.
 *
 * @param <E> in one chain at a time
 */
public final class Chain<E extends Chain.Link> {
    /** What is in a chain. */
    public static class Link {
        private Link next;
    }

    /** Null while it is empty. */
    private Link first;

    /** Null while it is empty. */
    private Link last;

    public boolean isEmpty() {
        return first == null;
    }

    public void add(E added) {
        append(added, added);
    }

    /** Null if it is empty. */
    @SuppressWarnings("unchecked") // only add() links
    public E poll() {
        Link polled = first;
        if (polled != null) {
            first = polled.next;
            polled.next = null;
            if (first == null) {
                last = null; // or it would be kept
            }
        }
        return (E) polled;
    }

    /** Takes over all of another chain. */
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
