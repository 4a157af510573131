package org.freshet.microbench.buffer;

/** How a buffer holds its bytes. */
public enum BufferKind {
    /** An array. */
    HEAP,
    /** Memory outside the heap. */
    DIRECT,
    /** An array that is replaced when it is full. */
    DYNAMIC,
    /** Four heap buffers in a row. */
    COMPOSITE,
    /** The middle of a heap buffer. */
    SLICED,
    /** A {@link java.nio.ByteBuffer} on an array. */
    WRAPPED
}
