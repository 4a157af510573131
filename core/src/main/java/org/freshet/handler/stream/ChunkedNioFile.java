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
public class ChunkedNioFile extends FileChunks {
    private final FileChannel file;

    /** The whole file, in chunks of 8192 bytes. */
    public ChunkedNioFile(File file) throws IOException {
        this(file, DEFAULT_CHUNK_BYTES);
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
        this(file, DEFAULT_CHUNK_BYTES);
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
        super(offset, length, chunkSize);
        this.file = file;
    }

    /** After a constructor threw, the caller could not close the file: arguments are checked first. */
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
