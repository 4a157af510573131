package org.freshet.buffer;

import java.util.HexFormat;

/** Converts bytes to hexadecimal digits and back. */
final class HexDump {
    private HexDump() {}

    static String format(ChannelBuffer buffer, int index, int length) {
        if (length < 0) {
            throw new IllegalArgumentException("length < 0: " + length);
        }
        Bounds.check(index, length, buffer.capacity());
        byte[] bytes = new byte[length];
        buffer.getBytes(index, bytes);
        return HexFormat.of().formatHex(bytes);
    }

    static ChannelBuffer parse(String digits) {
        return ChannelBuffers.wrappedBuffer(HexFormat.of().parseHex(digits));
    }
}
