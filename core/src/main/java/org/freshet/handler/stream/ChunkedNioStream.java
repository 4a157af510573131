package org.freshet.handler.stream;

import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Objects;

/**
 * Reads a channel to its end, in chunks that are buffers of what one read gives. A blocking channel holds up the thread
 * that writes or the channel's I/O thread; a non-blocking one suspends the transfer until {@link
 * ChunkedWriteHandler#resumeTransfer()} when it has nothing.
 */
public class ChunkedNioStream implements ChunkedInput {
    private final ReadableByteChannel in;
    private final ReadAhead chunks;

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
        this.in = Objects.requireNonNull(in, "in");
        this.chunks = new ReadAhead(bytes -> in.isOpen() ? in.read(ByteBuffer.wrap(bytes)) : -1, chunkSize);
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
