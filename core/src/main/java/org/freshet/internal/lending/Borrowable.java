package org.freshet.internal.lending;

/** An event whose message may be lent. */
public interface Borrowable {
    /** The lent message for the thread and the time of the event; otherwise what the event gives to everybody. */
    Object borrow();
}
