package org.freshet.handler.logging;

import org.freshet.buffer.ChannelBuffer;

/**
 * Formats the readable bytes of a buffer for people: offset, sixteen bytes in hexadecimal, the same in ASCII.
 *
 * <pre>
 * 00000000  47 45 54 20 2f 20 48 54  54 50 2f 31 2e 31 0d 0a  |GET / HTTP/1.1..|
 * 00000010  0d 0a                                             |..|
 * </pre>
 */
final class HexTable {
    static final int BYTES_PER_ROW = 16;

    /** The rest is only counted: a dump takes five times the bytes, and more than this is not useful to read. */
    static final int MAX_BYTES = 64 * 1024;

    private static final String HEX = "0123456789abcdef";

    /** The offset, two spaces, the bytes with two extra spaces, the text between bars, the line feed. */
    private static final int CHARS_PER_ROW = 8 + 2 + 3 * BYTES_PER_ROW + 2 + (1 + BYTES_PER_ROW + 1) + 1;

    private HexTable() {}

    /** Returns rows that each begin with a line feed. The buffer's indices do not change. */
    static String of(ChannelBuffer buffer) {
        int length = buffer.readableBytes();
        int shown = Math.min(length, MAX_BYTES);
        int rows = (shown + BYTES_PER_ROW - 1) / BYTES_PER_ROW;
        StringBuilder table = new StringBuilder(rows * CHARS_PER_ROW + 32);
        for (int offset = 0; offset < shown; offset += BYTES_PER_ROW) {
            appendRow(table, buffer, offset, Math.min(shown, offset + BYTES_PER_ROW));
        }
        if (shown < length) {
            table.append("\n... and ").append(length - shown).append(" more bytes");
        }
        return table.toString();
    }

    private static void appendRow(StringBuilder table, ChannelBuffer buffer, int from, int to) {
        table.append('\n');
        for (int shift = 28; shift >= 0; shift -= 4) {
            table.append(HEX.charAt(from >>> shift & 0xf));
        }
        for (int i = from; i < from + BYTES_PER_ROW; i++) {
            boolean startsHalf = i % (BYTES_PER_ROW / 2) == 0;
            table.append(startsHalf ? "  " : " ");
            if (i < to) {
                int b = byteAt(buffer, i);
                table.append(HEX.charAt(b >> 4)).append(HEX.charAt(b & 0xf));
            } else {
                table.append("  ");
            }
        }
        table.append("  |");
        for (int i = from; i < to; i++) {
            int b = byteAt(buffer, i);
            table.append(b >= ' ' && b <= '~' ? (char) b : '.');
        }
        table.append('|');
    }

    private static int byteAt(ChannelBuffer buffer, int offset) {
        return buffer.getUnsignedByte(buffer.readerIndex() + offset);
    }
}
