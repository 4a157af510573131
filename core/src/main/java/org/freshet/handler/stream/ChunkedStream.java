package org.freshet.handler.stream;

import java.io.IOException;
import java.io.InputStream;

/**
 * Reads a stream to its end; each chunk holds the bytes of one read. A stream that waits for data blocks the writing
 * thread or the channel's I/O thread.
 */
public class ChunkedStream extends ReadAhead {
    private final InputStream in;

    /** Reads chunks of up to 8192 bytes. */
    public ChunkedStream(InputStream in) {
        this(in, FileChunks.DEFAULT_CHUNK_BYTES);
    }

    /**
     * Reads chunks of up to {@code chunkSize} bytes.
     *
     * @param in is closed by {@link #close()}
     * @param chunkSize 1 or more
     */
    public ChunkedStream(InputStream in, int chunkSize) {
        super(in, chunkSize);
        this.in = in;
    }

    @Override
    int read(byte[] target) throws IOException {
        return in.read(target);
    }
}
