package org.freshet.handler.tap;

import java.nio.ByteBuffer;

/**
 * Blocks of packets as they go into the file, in the order of their times. Belongs to a {@link Lane} while it is
 * filled, then to the {@link TapWriter}, then to the {@link ChunkPool}.
 */
final class Chunk {
    /** Room for the longest block and its comment. */
    static final int BYTES = 128 * 1024;

    private final byte[] bytes = new byte[BYTES];

    /** Where the first block begins that is not in the file. */
    private int from;

    /** Where the next block will begin. */
    private int end;

    /** The time of the last block. */
    private long lastNanos;

    byte[] bytes() {
        return bytes;
    }

    boolean hasRoom(int blockBytes) {
        return blockBytes <= BYTES - end;
    }

    /** Returns where the next block begins. */
    int end() {
        return end;
    }

    void onPut(int blockBytes, long epochNanos) {
        end += blockBytes;
        lastNanos = epochNanos;
    }

    boolean isRead() {
        return from == end;
    }

    /** Returns the time of the next block. Only if it is not {@linkplain #isRead() read}. */
    long nextNanos() {
        return PcapNg.epochNanosAt(bytes, from);
    }

    /**
     * Copies the next blocks, at least one.
     *
     * @param target has room for a chunk
     * @param untilNanos blocks of a later time are left
     * @param maxBytes no block is copied that begins after so many bytes
     */
    void copyTo(ByteBuffer target, long untilNanos, long maxBytes) {
        int begin = from;
        if (lastNanos <= untilNanos && end - begin <= maxBytes) {
            from = end; // without a look at each block, which the processor's cache may not have
        } else {
            skipBlocks(untilNanos, maxBytes);
        }
        target.put(bytes, begin, from - begin);
    }

    private void skipBlocks(long untilNanos, long maxBytes) {
        int begin = from;
        do {
            from += PcapNg.blockBytesAt(bytes, from);
        } while (from < end && from - begin < maxBytes && nextNanos() <= untilNanos);
    }

    void clear() {
        from = 0;
        end = 0;
    }
}
