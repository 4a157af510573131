package org.freshet.handler.stream;

import java.io.InputStream;
import java.util.Objects;

/**
 * Reads a stream to its end, in chunks that are buffers of what one read gives. A stream that waits for its data holds up
 * the thread that writes, or the channel's I/O thread.
 */
public class ChunkedStream implements ChunkedInput {
    private final InputStream in;
    private final ReadAhead chunks;

    /** In chunks of up to 8192 bytes. */
    public ChunkedStream(InputStream in) {
        this(in, FileChunks.DEFAULT_CHUNK_BYTES);
    }

    /**
     * In chunks of up to {@code chunkSize} bytes.
     *
     * @param in is closed by {@link #close()}
     * @param chunkSize 1 or more
     */
    public ChunkedStream(InputStream in, int chunkSize) {
        this.in = Objects.requireNonNull(in, "in");
        this.chunks = new ReadAhead(in::read, chunkSize);
    }

    /** How many bytes {@link #nextChunk()} has returned. */
    public long getTransferredBytes() {
        return chunks.takenBytes();
    }

    @Override
    public boolean hasNextChunk() throws Exception {
        return chunks.hasChunk();
    }

    @Override
    public boolean isEndOfInput() throws Exception {
        return chunks.isAtEnd();
    }

    @Override
    public Object nextChunk() throws Exception {
        return chunks.take();
    }

    @Override
    public void close() throws Exception {
        chunks.drop();
        in.close();
    }
}
