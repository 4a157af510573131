package org.freshet.handler.traffic;

/** Writes in the order in which they are to be sent. They link themselves, so nothing here takes memory. Not for several threads. */
final class WriteChain {
    /** Null while it is empty. */
    private ShapedWrite first;

    private ShapedWrite last;

    boolean isEmpty() {
        return first == null;
    }

    ShapedWrite peek() {
        return first;
    }

    void add(ShapedWrite write) {
        if (first == null) {
            first = write;
        } else {
            last.next = write;
        }
        last = write;
    }

    /** Null if it is empty. */
    ShapedWrite poll() {
        ShapedWrite polled = first;
        if (polled != null) {
            first = polled.next;
            polled.next = null;
        }
        return polled;
    }

    /** Takes over all of another chain. */
    void addAll(WriteChain other) {
        if (other.first != null) {
            add(other.first);
            last = other.last;
            other.first = null;
        }
    }
}
