package org.freshet.handler.codec.replay;

/**
 * Remembers how far the last failed search got, so that its repetition continues there. A message that arrives byte by
 * byte is searched once, not once per byte.
 *
 * <p>Indexes are relative to the current buffer. Belongs to one decoder, and to the thread that runs it.
 */
final class SearchProgress {
    /** The byte or finder searched for; null if there is nothing to remember. */
    private Object sought;

    private int from;

    /** Nothing was found from {@link #from} up to this index. */
    private int to;

    void forget() {
        sought = null;
    }

    void remember(Object sought, int from, int to) {
        this.sought = sought;
        this.from = from;
        this.to = to;
    }

    /** Adjusts the indexes: the unread bytes are the same, but have moved. */
    void shift(int distance) {
        from += distance;
        to += distance;
    }

    /** Returns where a search that starts at {@code from} has to continue. */
    int resume(Object sought, int from) {
        boolean continues = this.sought != null && this.sought.equals(sought) && this.from <= from && from <= to;
        return continues ? to : from;
    }
}
