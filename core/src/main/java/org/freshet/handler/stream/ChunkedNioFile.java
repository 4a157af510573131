package org.freshet.handler.stream;

import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import org.freshet.buffer.ChannelBuffers;

/**
 * Reads a file, or a part of it, in chunks that are buffers. Neither uses nor moves the channel's position. A file that
 * turns out shorter than expected fails the write.
 */
public class ChunkedNioFile implements MeasuredInput {
    private final FileChannel file;
    private final FileChunks chunks;

    /** The whole file, in chunks of 8192 bytes. */
    public ChunkedNioFile(File file) throws IOException {
        this(file, FileChunks.DEFAULT_CHUNK_BYTES);
    }

    /**
     * The whole file.
     *
     * @param chunkSize bytes, 1 or more
     */
    public ChunkedNioFile(File file, int chunkSize) throws IOException {
        this(open(file, chunkSize), chunkSize);
    }

    /** The whole file, in chunks of 8192 bytes. */
    public ChunkedNioFile(FileChannel file) throws IOException {
        this(file, FileChunks.DEFAULT_CHUNK_BYTES);
    }

    /**
     * The whole file.
     *
     * @param chunkSize bytes, 1 or more
     */
    public ChunkedNioFile(FileChannel file, int chunkSize) throws IOException {
        this(file, 0, file.size(), chunkSize);
    }

    /**
     * A part of a file.
     *
     * @param file is closed by {@link #close()}
     * @param offset of the first byte
     * @param length in bytes
     * @param chunkSize bytes, 1 or more
     */
    public ChunkedNioFile(FileChannel file, long offset, long length, int chunkSize) throws IOException {
        this.chunks = new FileChunks(offset, length, chunkSize);
        this.file = file;
    }

    /** After a constructor threw, the caller could not close the file: arguments are checked first. */
    private static FileChannel open(File file, int chunkSize) throws IOException {
        FileChunks.checkChunkBytes(chunkSize);
        return FileChannel.open(file.toPath(), StandardOpenOption.READ);
    }

    /** Of the first byte to send. */
    public long getStartOffset() {
        return chunks.startOffset;
    }

    /** Exclusive. */
    public long getEndOffset() {
        return chunks.endOffset;
    }

    @Override
    public long totalBytes() {
        return chunks.endOffset - chunks.startOffset;
    }

    /** Of the next byte to read. */
    public long getCurrentOffset() {
        return chunks.currentOffset();
    }

    @Override
    public boolean hasNextChunk() throws Exception {
        return !chunks.isAtEnd() && file.isOpen();
    }

    @Override
    public boolean isEndOfInput() throws Exception {
        return !hasNextChunk();
    }

    @Override
    public Object nextChunk() throws Exception {
        if (chunks.isAtEnd()) {
            return null;
        }
        ByteBuffer chunk = ByteBuffer.allocate(chunks.nextChunkBytes());
        while (chunk.hasRemaining()) {
            if (file.read(chunk, chunks.currentOffset() + chunk.position()) < 0) {
                throw new EOFException("the file ends at " + (chunks.currentOffset() + chunk.position()) + ", expected "
                        + chunks.endOffset);
            }
        }
        chunks.advance(chunk.capacity());
        return ChannelBuffers.wrappedBuffer(chunk.array());
    }

    @Override
    public void close() throws Exception {
        file.close();
    }
}
