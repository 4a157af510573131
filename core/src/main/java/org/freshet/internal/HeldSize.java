package org.freshet.internal;

/** A protocol message that knows about how many bytes of memory it takes. */
public interface HeldSize {
    /** In bytes, 0 or more; doesn't change until the message has been encoded. */
    int heldBytes();
}
