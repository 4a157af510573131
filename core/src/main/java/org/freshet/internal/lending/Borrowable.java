package org.freshet.internal.lending;

/** An event whose message may be lent. */
public interface Borrowable {
    /** Returns the lent message, on the event's thread and for its duration; otherwise the message as other handlers get it. */
    Object borrow();
}
