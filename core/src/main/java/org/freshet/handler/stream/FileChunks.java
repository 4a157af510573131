package org.freshet.handler.stream;

/**
 * A part of a file, read in pieces of fixed size, and the position reached so far. For use by one thread at a time.
 *
 * <p>All offsets are bytes from the beginning of the file.
 */
abstract class FileChunks implements SizedChunkedInput {
    /** Large enough that a chunk's overhead is negligible, small enough to hold one for each slow peer. */
    static final int DEFAULT_CHUNK_BYTES = 8192;

    private final long startOffset;
    private final long endOffset;
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

    abstract boolean isOpen();

    /** Returns the offset of the first byte to send. */
    public long getStartOffset() {
        return startOffset;
    }

    /** Returns the end offset, exclusive. */
    public long getEndOffset() {
        return endOffset;
    }

    @Override
    public long totalBytes() {
        return endOffset - startOffset;
    }

    /** Returns the offset of the next byte to read. */
    public long getCurrentOffset() {
        return currentOffset;
    }

    @Override
    public boolean hasNextChunk() throws Exception {
        return !isAtEnd() && isOpen();
    }

    @Override
    public boolean isEndOfInput() throws Exception {
        return !hasNextChunk();
    }

    final boolean isAtEnd() {
        return currentOffset >= endOffset;
    }

    final int nextChunkBytes() {
        return (int) Math.min(chunkBytes, endOffset - currentOffset);
    }

    final void advance(int bytes) {
        currentOffset += bytes;
    }
}
