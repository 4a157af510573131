package org.freshet.internal;

/** The upstream events that are left out if no handler of the pipeline acts on them. */
public enum EventKind {
    OPEN,
    BOUND,
    CONNECTED,
    INTEREST_CHANGED,
    DISCONNECTED,
    UNBOUND,
    CLOSED,
    WRITTEN,
    CHILD_OPEN,
    CHILD_CLOSED;

    /** A bit of its own. */
    public int bit() {
        return 1 << ordinal();
    }
}
