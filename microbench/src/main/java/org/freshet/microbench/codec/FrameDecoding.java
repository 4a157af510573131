package org.freshet.microbench.codec;

/** A pipeline of a frame decoder and a handler that counts the frames and their bytes, whosever it is. */
interface FrameDecoding {
    /** Copies these bytes into a new buffer of their size, as a transport does, and fires it. */
    void receive(byte[] stream, int offset, int length);

    /** How many frames have come out. */
    long frames();

    /** How many bytes the frames had. */
    long bytes();
}
