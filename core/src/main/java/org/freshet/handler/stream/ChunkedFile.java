package org.freshet.handler.stream;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import org.freshet.buffer.ChannelBuffers;

/**
 * Reads a file, or a part of it, in chunks that are buffers. A file that turns out shorter than expected fails the write.
 * Prefer {@link ChunkedNioFile} for a file that others read through the same object: this one moves the file's pointer.
 */
public class ChunkedFile extends FileChunks {
    private final RandomAccessFile file;

    /** The whole file, in chunks of 8192 bytes. */
    public ChunkedFile(File file) throws IOException {
        this(file, DEFAULT_CHUNK_BYTES);
    }

    /**
     * The whole file.
     *
     * @param chunkSize bytes, 1 or more
     */
    public ChunkedFile(File file, int chunkSize) throws IOException {
        this(open(file, chunkSize), chunkSize);
    }

    /** The whole file, in chunks of 8192 bytes. */
    public ChunkedFile(RandomAccessFile file) throws IOException {
        this(file, DEFAULT_CHUNK_BYTES);
    }

    /**
     * The whole file.
     *
     * @param chunkSize bytes, 1 or more
     */
    public ChunkedFile(RandomAccessFile file, int chunkSize) throws IOException {
        this(file, 0, file.length(), chunkSize);
    }

    /**
     * A part of a file.
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

    /** After a constructor threw, the caller could not close the file: arguments are checked first. */
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
