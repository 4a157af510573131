package org.freshet.microbench.codec;

/** A pipeline with a frame decoder and a handler that counts frames and bytes, for any library. */
interface FrameDecoding {
    /** Copies these bytes into a new buffer of their size, like a transport, and fires it. */
    void receive(byte[] stream, int offset, int length);

    /** Returns the number of frames decoded. */
    long frames();

    /** Returns the total number of bytes of the frames. */
    long bytes();
}
