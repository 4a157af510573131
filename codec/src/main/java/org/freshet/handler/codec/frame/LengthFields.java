package org.freshet.handler.codec.frame;

import org.freshet.buffer.ChannelBuffer;

/** Reads and writes numbers of 1, 2, 3, 4 or 8 bytes in the byte order of their buffer. Stateless. */
final class LengthFields {
    private LengthFields() {}

    static void checkLength(int lengthFieldLength) {
        if (lengthFieldLength < 1 || lengthFieldLength > 4 && lengthFieldLength != 8) {
            throw new IllegalArgumentException("lengthFieldLength is not 1, 2, 3, 4 or 8: " + lengthFieldLength);
        }
    }

    /** Returns an unsigned number, or a signed one if it has 8 bytes. */
    static long get(ChannelBuffer buffer, int index, int lengthFieldLength) {
        switch (lengthFieldLength) {
            case 1:
                return buffer.getUnsignedByte(index);
            case 2:
                return buffer.getUnsignedShort(index);
            case 3:
                return buffer.getUnsignedMedium(index);
            case 4:
                return buffer.getUnsignedInt(index);
            default:
                return buffer.getLong(index);
        }
    }

    /** @throws IllegalArgumentException if the value does not fit */
    static void write(ChannelBuffer buffer, int lengthFieldLength, long value) {
        if (lengthFieldLength < 4 && value >> 8 * lengthFieldLength != 0) {
            throw new IllegalArgumentException(
                    "length does not fit into " + lengthFieldLength + "-byte field: " + value);
        }
        switch (lengthFieldLength) {
            case 1:
                buffer.writeByte((int) value);
                break;
            case 2:
                buffer.writeShort((int) value);
                break;
            case 3:
                buffer.writeMedium((int) value);
                break;
            case 4:
                buffer.writeInt((int) value);
                break;
            default:
                buffer.writeLong(value);
        }
    }
}
