package org.freshet.handler.stream;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import org.freshet.buffer.ChannelBuffers;

/**
 * Reads a file, or part of one, as chunks of bytes. If the file turns out shorter than expected, the write fails. This
 * moves the file's pointer, so prefer {@link ChunkedNioFile} if others read through the same object.
 */
public class ChunkedFile extends FileChunks {
    private final RandomAccessFile file;

    /** Reads the whole file in chunks of 8192 bytes. */
    public ChunkedFile(File file) throws IOException {
        this(file, DEFAULT_CHUNK_BYTES);
    }

    /**
     * Reads the whole file.
     *
     * @param chunkSize bytes, 1 or more
     */
    public ChunkedFile(File file, int chunkSize) throws IOException {
        this(open(file, chunkSize), chunkSize);
    }

    /** Reads the whole file in chunks of 8192 bytes. */
    public ChunkedFile(RandomAccessFile file) throws IOException {
        this(file, DEFAULT_CHUNK_BYTES);
    }

    /**
     * Reads the whole file.
     *
     * @param chunkSize bytes, 1 or more
     */
    public ChunkedFile(RandomAccessFile file, int chunkSize) throws IOException {
        this(file, 0, file.length(), chunkSize);
    }

    /**
     * Reads part of a file.
     *
     * @param file is closed by {@link #close()}
     * @param offset of the first byte
     * @param length in bytes
     * @param chunkSize bytes, 1 or more
     */
    public ChunkedFile(RandomAccessFile file, long offset, long length, int chunkSize) throws IOException {
        super(offset, length, chunkSize);
        this.file = file;
        file.seek(offset);
    }

    /** Checks arguments before opening: if the constructor threw afterwards, the caller could not close the file. */
    private static RandomAccessFile open(File file, int chunkSize) throws IOException {
        checkChunkBytes(chunkSize);
        return new RandomAccessFile(file, "r");
    }

    @Override
    boolean isOpen() {
        return file.getChannel().isOpen();
    }

    @Override
    public Object nextChunk() throws Exception {
        if (isAtEnd()) {
            return null;
        }
        byte[] chunk = new byte[nextChunkBytes()];
        file.readFully(chunk);
        advance(chunk.length);
        return ChannelBuffers.wrappedBuffer(chunk);
    }

    @Override
    public void close() throws Exception {
        file.close();
    }
}
