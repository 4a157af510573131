package org.freshet.handler.stream;

import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import org.freshet.buffer.ChannelBuffers;

/**
 * Reads a file, or part of one, as chunks of bytes. It neither uses nor moves the channel's position. If the file turns
 * out shorter than expected, the write fails.
 */
public class ChunkedNioFile extends FileChunks {
    private final FileChannel file;

    /** Reads the whole file in chunks of 8192 bytes. */
    public ChunkedNioFile(File file) throws IOException {
        this(file, DEFAULT_CHUNK_BYTES);
    }

    /**
     * Reads the whole file.
     *
     * @param chunkSize bytes, 1 or more
     */
    public ChunkedNioFile(File file, int chunkSize) throws IOException {
        this(open(file, chunkSize), chunkSize);
    }

    /** Reads the whole file in chunks of 8192 bytes. */
    public ChunkedNioFile(FileChannel file) throws IOException {
        this(file, DEFAULT_CHUNK_BYTES);
    }

    /**
     * Reads the whole file.
     *
     * @param chunkSize bytes, 1 or more
     */
    public ChunkedNioFile(FileChannel file, int chunkSize) throws IOException {
        this(file, 0, file.size(), chunkSize);
    }

    /**
     * Reads part of a file.
     *
     * @param file is closed by {@link #close()}
     * @param offset of the first byte
     * @param length in bytes
     * @param chunkSize bytes, 1 or more
     */
    public ChunkedNioFile(FileChannel file, long offset, long length, int chunkSize) throws IOException {
        super(offset, length, chunkSize);
        this.file = file;
    }

    /** Checks arguments before opening: if the constructor threw afterwards, the caller could not close the file. */
    private static FileChannel open(File file, int chunkSize) throws IOException {
        checkChunkBytes(chunkSize);
        return FileChannel.open(file.toPath(), StandardOpenOption.READ);
    }

    @Override
    boolean isOpen() {
        return file.isOpen();
    }

    @Override
    public Object nextChunk() throws Exception {
        if (isAtEnd()) {
            return null;
        }
        ByteBuffer chunk = ByteBuffer.allocate(nextChunkBytes());
        while (chunk.hasRemaining()) {
            if (file.read(chunk, getCurrentOffset() + chunk.position()) < 0) {
                throw new EOFException(
                        "the file ends at " + (getCurrentOffset() + chunk.position()) + ", expected " + getEndOffset());
            }
        }
        advance(chunk.capacity());
        return ChannelBuffers.wrappedBuffer(chunk.array());
    }

    @Override
    public void close() throws Exception {
        file.close();
    }
}
