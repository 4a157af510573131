package org.freshet.handler.tap;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Writes a pcapng file: one section, one interface, packets without a link layer. For use by one thread at a time. */
final class PcapNg {
    private static final int SECTION_HEADER = 0x0a0d0d0a;
    private static final int INTERFACE = 1;
    private static final int ENHANCED_PACKET = 6;

    private static final int BYTE_ORDER_MAGIC = 0x1a2b3c4d;
    private static final short LINK_TYPE_RAW_IP = 101;

    private static final short COMMENT = 1;
    private static final short TIME_RESOLUTION = 9;
    private static final byte NANOSECONDS = 9;

    private static final int MAX_COMMENT_BYTES = 16 * 1024;
    private static final int MAX_BLOCK_BYTES = 64 * 1024 + MAX_COMMENT_BYTES + 64;

    private final OutputStream out;

    /** The packet being made; reused. */
    private final ByteBuffer packet = ByteBuffer.allocate(MAX_BLOCK_BYTES);

    private long written;

    PcapNg(OutputStream out) {
        this.out = out;
    }

    /** Returns the bytes written so far. */
    long written() {
        return written;
    }

    void begin() throws IOException {
        block(
                SECTION_HEADER,
                ByteBuffer.allocate(16)
                        .putInt(BYTE_ORDER_MAGIC)
                        .putShort((short) 1)
                        .putShort((short) 0)
                        .putLong(-1)); // the section's length is unknown
        block(
                INTERFACE,
                ByteBuffer.allocate(20)
                        .putShort(LINK_TYPE_RAW_IP)
                        .putShort((short) 0)
                        .putInt(0) // packets of any length
                        .putShort(TIME_RESOLUTION)
                        .putShort((short) 1)
                        .putInt(NANOSECONDS << 24)
                        .putInt(0)); // end of options
    }

    /**
     * Begins a packet. The caller puts the captured bytes and calls {@link #endPacket}.
     *
     * @param epochNanos when it was received or sent
     * @param captured how many bytes the caller puts
     * @param length of the packet
     */
    ByteBuffer beginPacket(long epochNanos, int captured, int length) {
        return packet.clear()
                .putInt(ENHANCED_PACKET)
                .putInt(0) // the block's length, filled in at the end
                .putInt(0) // the interface
                .putInt((int) (epochNanos >>> 32))
                .putInt((int) epochNanos)
                .putInt(captured)
                .putInt(length);
    }

    /** @param comment null writes none */
    void endPacket(String comment) throws IOException {
        pad();
        if (comment != null) {
            byte[] text = comment.getBytes(StandardCharsets.UTF_8);
            int length = Math.min(text.length, MAX_COMMENT_BYTES);
            packet.putShort(COMMENT).putShort((short) length).put(text, 0, length);
            pad();
            packet.putInt(0); // end of options
        }
        int length = packet.position() + 4;
        packet.putInt(length).putInt(4, length);
        out.write(packet.array(), 0, length);
        written += length;
    }

    private void pad() {
        while ((packet.position() & 3) != 0) {
            packet.put((byte) 0);
        }
    }

    private void block(int type, ByteBuffer body) throws IOException {
        int length = 12 + body.capacity();
        byte[] block = ByteBuffer.allocate(length)
                .putInt(type)
                .putInt(length)
                .put(body.array())
                .putInt(length)
                .array();
        out.write(block);
        written += length;
    }
}
