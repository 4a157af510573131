package org.freshet.handler.stream;

/**
 * Which part of a file is sent, in pieces of which size, and up to where it was sent. One thread at a time.
 *
 * <p>All offsets are bytes from the beginning of the file.
 */
final class FileChunks {
    /** Large enough that a chunk's overhead does not matter, small enough to be held for each slow peer. */
    static final int DEFAULT_CHUNK_BYTES = 8192;

    final long startOffset;
    final long endOffset;
    private final int chunkBytes;
    private long currentOffset;

    FileChunks(long offset, long length, int chunkBytes) {
        if (offset < 0) {
            throw new IllegalArgumentException("offset < 0: " + offset);
        }
        if (length < 0) {
            throw new IllegalArgumentException("length < 0: " + length);
        }
        if (length > Long.MAX_VALUE - offset) {
            throw new IllegalArgumentException("offset + length > 2^63 - 1: " + offset + " + " + length);
        }
        this.chunkBytes = checkChunkBytes(chunkBytes);
        this.startOffset = offset;
        this.endOffset = offset + length;
        this.currentOffset = offset;
    }

    static int checkChunkBytes(int chunkSize) {
        if (chunkSize <= 0) {
            throw new IllegalArgumentException("chunkSize <= 0: " + chunkSize);
        }
        return chunkSize;
    }

    long currentOffset() {
        return currentOffset;
    }

    boolean isAtEnd() {
        return currentOffset >= endOffset;
    }

    int nextChunkBytes() {
        return (int) Math.min(chunkBytes, endOffset - currentOffset);
    }

    void advance(int bytes) {
        currentOffset += bytes;
    }
}
