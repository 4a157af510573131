package org.freshet.handler.tap;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The layout of a pcapng file with one section, one interface, and packets without a link layer. */
final class PcapNg {
    /** Bytes of a packet's block before its data. */
    static final int PACKET_AT = 28;

    private static final int SECTION_HEADER = 0x0a0d0d0a;
    private static final int INTERFACE = 1;
    private static final int ENHANCED_PACKET = 6;

    private static final int BYTE_ORDER_MAGIC = 0x1a2b3c4d;
    private static final short LINK_TYPE_RAW_IP = 101;

    private static final short COMMENT = 1;
    private static final short TIME_RESOLUTION = 9;
    private static final byte NANOSECONDS = 9;

    private static final int MAX_COMMENT_BYTES = 16 * 1024;
    private static final int LENGTH_AT = 4;
    private static final int TIME_AT = 12;

    private static final byte[] NOTHING = {};

    private PcapNg() {}

    /** Returns what a file begins with. */
    static ByteBuffer begin() {
        ByteBuffer out = ByteBuffer.allocate(60);
        out.putInt(SECTION_HEADER)
                .putInt(28)
                .putInt(BYTE_ORDER_MAGIC)
                .putShort((short) 1)
                .putShort((short) 0)
                .putLong(-1) // the section's length is unknown
                .putInt(28);
        out.putInt(INTERFACE)
                .putInt(32)
                .putShort(LINK_TYPE_RAW_IP)
                .putShort((short) 0)
                .putInt(0) // packets of any length
                .putShort(TIME_RESOLUTION)
                .putShort((short) 1)
                .putInt(NANOSECONDS << 24)
                .putInt(0) // end of options
                .putInt(32);
        return out.flip();
    }

    // ---- packets ----------------------------------------------------------------------------------------------------

    /** @param text null returns an empty array */
    static byte[] comment(String text) {
        return text == null ? NOTHING : text.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the bytes of a packet's block. */
    static int blockBytes(int captured, byte[] comment) {
        int options = comment.length == 0 ? 0 : 8 + padded(Math.min(comment.length, MAX_COMMENT_BYTES));
        return PACKET_AT + padded(captured) + options + 4;
    }

    /**
     * Puts a packet's block without its data, which the caller puts at {@link #PACKET_AT}.
     *
     * @param at where the block begins
     * @param epochNanos when it was received or sent
     * @param captured how many bytes the caller puts
     * @param length of the packet
     */
    static void putBlock(byte[] out, int at, long epochNanos, int captured, int length, byte[] comment) {
        int blockBytes = blockBytes(captured, comment);
        int end = at + blockBytes - 4;
        Octets.putInts(out, at, ENHANCED_PACKET, blockBytes);
        Octets.putInt(out, at + 8, 0); // the interface
        Octets.putLong(out, at + TIME_AT, epochNanos);
        Octets.putInts(out, at + 20, captured, length);
        pad(out, at + PACKET_AT + captured, captured);
        if (comment.length > 0) {
            putComment(out, at + PACKET_AT + padded(captured), comment);
            Octets.putInt(out, end - 4, 0); // end of options
        }
        Octets.putInt(out, end, blockBytes);
    }

    private static void putComment(byte[] out, int at, byte[] comment) {
        int length = Math.min(comment.length, MAX_COMMENT_BYTES);
        Octets.putInt(out, at, COMMENT << Short.SIZE | length);
        System.arraycopy(comment, 0, out, at + 4, length);
        pad(out, at + 4 + length, length);
    }

    /** Puts zeros after so many bytes, until they are a multiple of four. */
    private static void pad(byte[] out, int at, int length) {
        for (int i = 0; i < padded(length) - length; i++) {
            out[at + i] = 0;
        }
    }

    private static int padded(int length) {
        return length + 3 & ~3;
    }

    /** Returns the length of the block at an index. */
    static int blockBytesAt(byte[] in, int at) {
        return Octets.getInt(in, at + LENGTH_AT);
    }

    /** Returns the time of the packet whose block is at an index. */
    static long epochNanosAt(byte[] in, int at) {
        return Octets.getLong(in, at + TIME_AT);
    }
}
