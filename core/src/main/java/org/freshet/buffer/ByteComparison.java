package org.freshet.buffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Equality, order and hash of readable bytes. Kind and byte order of a buffer do not matter, only its bytes; bytes
 * compare as unsigned numbers, and a prefix comes first.
 *
 * <p>Stateless; any thread.
 */
final class ByteComparison {
    private ByteComparison() {}

    static boolean equal(ChannelBuffer a, ChannelBuffer b) {
        int length = a.readableBytes();
        return length == b.readableBytes() && mismatch(a, b, length) < 0;
    }

    static int compare(ChannelBuffer a, ChannelBuffer b) {
        int common = Math.min(a.readableBytes(), b.readableBytes());
        int differsAt = mismatch(a, b, common);
        if (differsAt < 0) {
            return a.readableBytes() - b.readableBytes();
        }
        int fromA = a.getUnsignedByte(a.readerIndex() + differsAt);
        int fromB = b.getUnsignedByte(b.readerIndex() + differsAt);
        return fromA < fromB ? -1 : 1;
    }

    /** The hash of Netty 3, so that what was stored or sharded by it stays where it is: four bytes a step, never 0. */
    static int hash(ChannelBuffer buffer) {
        boolean reverse = buffer.order() == ByteOrder.LITTLE_ENDIAN;
        int end = buffer.writerIndex();
        int at = buffer.readerIndex();
        int hash = 1;
        for (; at <= end - Integer.BYTES; at += Integer.BYTES) {
            int word = buffer.getInt(at);
            hash = 31 * hash + (reverse ? Integer.reverseBytes(word) : word);
        }
        for (; at < end; at++) {
            hash = 31 * hash + buffer.getByte(at);
        }
        return hash == 0 ? 1 : hash;
    }

    /** How many of the first {@code length} readable bytes agree before the first that differs; -1 if all do. */
    private static int mismatch(ChannelBuffer a, ChannelBuffer b, int length) {
        if (!a.hasArray() || !b.hasArray()) {
            return mismatchOfPieces(a, b, length);
        }
        int fromA = a.arrayOffset() + a.readerIndex();
        int fromB = b.arrayOffset() + b.readerIndex();
        return Arrays.mismatch(a.array(), fromA, fromA + length, b.array(), fromB, fromB + length);
    }

    private static int mismatchOfPieces(ChannelBuffer a, ChannelBuffer b, int length) {
        Pieces left = new Pieces(a, length);
        Pieces right = new Pieces(b, length);
        int done = 0;
        while (done < length) {
            int run = Math.min(left.ready(), right.ready());
            int found = left.next(run).mismatch(right.next(run));
            if (found >= 0) {
                return done + found;
            }
            done += run;
        }
        return -1;
    }

    /** Walks over readable bytes in the pieces of memory that hold them, without a copy. */
    private static final class Pieces {
        private final ByteBuffer[] pieces;
        private int current;

        Pieces(ChannelBuffer buffer, int length) {
            pieces = buffer.toByteBuffers(buffer.readerIndex(), length);
        }

        /** How many bytes lie in one piece, at least one unless all were taken. */
        int ready() {
            while (!pieces[current].hasRemaining()) {
                current++;
            }
            return pieces[current].remaining();
        }

        ByteBuffer next(int length) {
            ByteBuffer piece = pieces[current];
            ByteBuffer run = piece.slice(piece.position(), length);
            piece.position(piece.position() + length);
            return run;
        }
    }
}
