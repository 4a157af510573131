package org.freshet.microbench.codec;

/** A pipeline of a request decoder and a handler that counts, whosever it is. */
interface HttpDecoding {
    /** Copies these bytes into a new buffer of their size, as a transport does, and fires it. */
    void receive(byte[] stream, int offset, int length);

    long requests();

    /** Characters of the header values that were asked for, so that none is asked for in vain. */
    long valueChars();
}
