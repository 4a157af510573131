package org.freshet.handler.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/**
 * Reads a channel to its end, in chunks that are buffers of what one read gives. A blocking channel holds up the thread
 * that writes or the channel's I/O thread; a non-blocking one suspends the transfer until {@link
 * ChunkedWriteHandler#resumeTransfer()} when it has nothing.
 */
public class ChunkedNioStream extends ReadAhead {
    private final ReadableByteChannel in;

    /** In chunks of up to 8192 bytes. */
    public ChunkedNioStream(ReadableByteChannel in) {
        this(in, FileChunks.DEFAULT_CHUNK_BYTES);
    }

    /**
     * In chunks of up to {@code chunkSize} bytes.
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
