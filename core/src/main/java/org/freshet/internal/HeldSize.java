package org.freshet.internal;

/** A message, of a protocol, that knows how many bytes of memory its content takes. */
public interface HeldSize {
    /** Bytes, 0 or more; the same until the message has been encoded. */
    int heldBytes();
}
