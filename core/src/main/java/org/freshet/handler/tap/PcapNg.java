package org.freshet.handler.tap;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Writes a file of the format pcapng: one section, one interface, packets without a link layer. One thread at a time. */
final class PcapNg {
    private static final int SECTION_HEADER = 0x0a0d0d0a;
    private static final int INTERFACE = 1;
    private static final int ENHANCED_PACKET = 6;

    private static final int BYTE_ORDER_MAGIC = 0x1a2b3c4d;
    private static final short LINK_TYPE_RAW_IP = 101;

    private static final short COMMENT = 1;
    private static final short TIME_RESOLUTION = 9;
    private static final byte NANOSECONDS = 9;

    private final OutputStream out;
    private long written;

    PcapNg(OutputStream out) {
        this.out = out;
    }

    /** Bytes so far. */
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
                        .putLong(-1)); // the section's length is not known
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
     * Writes a packet.
     *
     * @param epochNanos when it came or went
     * @param packet as far as it was captured
     * @param length of the packet
     * @param comment null for none
     */
    void packet(long epochNanos, byte[] packet, int length, String comment) throws IOException {
        byte[] text = comment == null ? new byte[0] : comment.getBytes(StandardCharsets.UTF_8);
        int options = comment == null ? 0 : 4 + padded(text.length) + 4;
        ByteBuffer body = ByteBuffer.allocate(20 + padded(packet.length) + options)
                .putInt(0) // the interface
                .putInt((int) (epochNanos >>> 32))
                .putInt((int) epochNanos)
                .putInt(packet.length)
                .putInt(length)
                .put(packet);
        body.position(20 + padded(packet.length));
        if (comment != null) {
            body.putShort(COMMENT).putShort((short) text.length).put(text);
        }
        body.position(body.capacity());
        block(ENHANCED_PACKET, body);
    }

    private static int padded(int length) {
        return length + 3 & ~3;
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
