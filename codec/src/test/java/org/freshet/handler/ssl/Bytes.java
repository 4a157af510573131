package org.freshet.handler.ssl;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Random;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/** Messages and records for tests. */
final class Bytes {
    private Bytes() {}

    static ChannelBuffer text(String text) {
        return ChannelBuffers.copiedBuffer(text, US_ASCII);
    }

    static ChannelBuffer random(Random random, int size) {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        return ChannelBuffers.wrappedBuffer(bytes);
    }

    /** A record as sent on the wire, whatever it contains. */
    static ChannelBuffer record(int type, int majorVersion, byte[] fragment) {
        ChannelBuffer record = ChannelBuffers.dynamicBuffer();
        record.writeByte(type);
        record.writeByte(majorVersion);
        record.writeByte(3);
        record.writeShort(fragment.length);
        record.writeBytes(fragment);
        return record;
    }
}
