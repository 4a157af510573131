package org.freshet.handler.codec.http.multipart;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.freshet.buffer.ChannelBuffer;

/**
 * Appends to a file. Short pieces are collected, since each write is a system call; long ones are written right away.
 * Not thread-safe.
 */
final class FileOutput implements Closeable {
    /** Pieces shorter than this are collected. */
    private static final int BUFFER_BYTES = 8192;

    private final FileChannel file;

    /** Null until the first short piece. */
    private ByteBuffer collected;

    FileOutput(Path path) throws IOException {
        file = FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    }

    /**
     * Appends a piece, leaving the buffer's indexes unchanged.
     *
     * @param last whether a flush follows
     */
    void append(ChannelBuffer piece, boolean last) throws IOException {
        int length = piece.readableBytes();
        ByteBuffer bytes = piece.toByteBuffer(piece.readerIndex(), length);
        if (collected != null && collected.remaining() < length) {
            flush();
        }
        boolean nothingCollected = collected == null || collected.position() == 0;
        if (length >= BUFFER_BYTES || last && nothingCollected) {
            write(bytes);
            return;
        }
        if (collected == null) {
            collected = ByteBuffer.allocate(BUFFER_BYTES);
        }
        collected.put(bytes);
    }

    /** Writes the collected bytes. */
    void flush() throws IOException {
        if (collected != null) {
            collected.flip();
            try {
                write(collected);
            } finally {
                collected.clear();
            }
        }
    }

    private void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            file.write(bytes);
        }
    }

    /** Closes the file. Bytes that were not flushed are lost. */
    @Override
    public void close() throws IOException {
        file.close();
    }
}
