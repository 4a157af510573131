package org.freshet.microbench.buffer;

/** One buffer, whosever it is, that is written and read in order. */
interface Records {
    /** The bytes of a record: a byte, a short, a medium, an int and a long. */
    int BYTES = 1 + 2 + 3 + 4 + 8;

    /** Writes over what was there, from the first byte on. */
    Object writeRecords(int count);

    /** Reads from the first byte on; returns the sum. */
    long readRecords(int count);

    /** Writes over what was there, from the first byte on. */
    Object writeBytes(int count);

    /** Reads from the first byte on; returns the sum. */
    long readBytes(int count);
}
