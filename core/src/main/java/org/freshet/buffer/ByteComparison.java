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
    /** From here on the vectors that compare memory make up for the objects that show the memory. */
    private static final int MIN_BYTES_FOR_PIECES = 512;

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
        if (a.hasArray() && b.hasArray()) {
            int fromA = a.arrayOffset() + a.readerIndex();
            int fromB = b.arrayOffset() + b.readerIndex();
            return Arrays.mismatch(a.array(), fromA, fromA + length, b.array(), fromB, fromB + length);
        }
        return length < MIN_BYTES_FOR_PIECES ? mismatchOfWords(a, b, length) : mismatchOfPieces(a, b, length);
    }

    private static int mismatchOfWords(ChannelBuffer a, ChannelBuffer b, int length) {
        int fromA = a.readerIndex();
        int fromB = b.readerIndex();
        boolean littleEndian = a.order() == ByteOrder.LITTLE_ENDIAN;
        boolean reverse = a.order() != b.order();
        int done = 0;
        for (; done <= length - Long.BYTES; done += Long.BYTES) {
            long word = b.getLong(fromB + done);
            long difference = a.getLong(fromA + done) ^ (reverse ? Long.reverseBytes(word) : word);
            if (difference != 0) {
                int bits =
                        littleEndian ? Long.numberOfTrailingZeros(difference) : Long.numberOfLeadingZeros(difference);
                return done + bits / Byte.SIZE;
            }
        }
        for (; done < length; done++) {
            if (a.getByte(fromA + done) != b.getByte(fromB + done)) {
                return done;
            }
        }
        return -1;
    }

    private static int mismatchOfPieces(ChannelBuffer a, ChannelBuffer b, int length) {
        Pieces left = new Pieces(a, length);
        Pieces right = new Pieces(b, length);
        int done = 0;
        while (done < length) {
            ByteBuffer pieceOfA = left.current();
            ByteBuffer pieceOfB = right.current();
            int run = Math.min(pieceOfA.remaining(), pieceOfB.remaining());
            int found = pieceOfA.mismatch(pieceOfB);
            if (found >= 0 && found < run) { // else the shorter one is a prefix
                return done + found;
            }
            pieceOfA.position(pieceOfA.position() + run);
            pieceOfB.position(pieceOfB.position() + run);
            done += run;
        }
        return -1;
    }

    /** Walks over readable bytes in the pieces of memory that hold them, without a copy. */
    private static final class Pieces {
        private final ByteBuffer[] pieces;
        private int at;

        Pieces(ChannelBuffer buffer, int length) {
            pieces = buffer.toByteBuffers(buffer.readerIndex(), length);
        }

        /** The piece that has the next bytes; its position is the caller's to move. */
        ByteBuffer current() {
            while (!pieces[at].hasRemaining()) {
                at++;
            }
            return pieces[at];
        }
    }
}
