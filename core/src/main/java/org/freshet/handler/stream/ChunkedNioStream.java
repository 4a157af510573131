package org.freshet.handler.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/**
 * Reads a channel to its end; each chunk holds the bytes of one read. A blocking channel blocks the writing thread or
 * the channel's I/O thread. A non-blocking one, when it has nothing, suspends the transfer until
 * {@link ChunkedWriteHandler#resumeTransfer()}.
 */
public class ChunkedNioStream extends ReadAhead {
    private final ReadableByteChannel in;

    /** Reads chunks of up to 8192 bytes. */
    public ChunkedNioStream(ReadableByteChannel in) {
        this(in, FileChunks.DEFAULT_CHUNK_BYTES);
    }

    /**
     * Reads chunks of up to {@code chunkSize} bytes.
     *
     * @param in is closed by {@link #close()}
     * @param chunkSize 1 or more
     */
    public ChunkedNioStream(ReadableByteChannel in, int chunkSize) {
        super(in, chunkSize);
        this.in = in;
    }

    @Override
    int read(byte[] target) throws IOException {
        return in.isOpen() ? in.read(ByteBuffer.wrap(target)) : -1;
    }
}
