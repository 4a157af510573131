package org.freshet.microbench.codec;

/** A pipeline with a request decoder and a counting handler, for any library. */
interface HttpDecoding {
    /** Copies these bytes into a new buffer of their size, like a transport, and fires it. */
    void receive(byte[] stream, int offset, int length);

    long requests();

    /** Returns the total characters of the header values read, so that reading them can't be optimized away. */
    long valueChars();
}
