package org.freshet.microbench.buffer;

/** One buffer of any library, written and read in order. */
interface Records {
    /** The size of a record: a byte, a short, a medium, an int and a long. */
    int BYTES = 1 + 2 + 3 + 4 + 8;

    /** Overwrites the buffer from the first byte on. */
    Object writeRecords(int count);

    /** Reads from the first byte on; returns the sum. */
    long readRecords(int count);

    /** Overwrites the buffer from the first byte on. */
    Object writeBytes(int count);

    /** Reads from the first byte on; returns the sum. */
    long readBytes(int count);
}
