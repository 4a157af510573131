package org.freshet.handler.codec.replay;

/**
 * How far the last search that found nothing has got, so that its repetition continues there: a message that arrives byte by
 * byte is searched once, not once a byte.
 *
 * <p>Indexes are those of the buffer that is shown now. Belongs to one decoder, and to the thread that runs it.
 */
final class SearchProgress {
    /** What was searched for; null if there is nothing to remember. */
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

    /** The unread bytes are the same, but are now in another place. */
    void shift(int distance) {
        from += distance;
        to += distance;
    }

    /** Where a search that starts at {@code from} has to look first. */
    int resume(Object sought, int from) {
        boolean continues = this.sought != null && this.sought.equals(sought) && this.from <= from && from <= to;
        return continues ? to : from;
    }
}
