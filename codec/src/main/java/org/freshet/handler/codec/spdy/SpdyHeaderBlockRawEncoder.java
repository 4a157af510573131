package org.freshet.handler.codec.spdy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/**
 * Encodes header blocks without compression: a count, then names and values, each preceded by its length. Numbers have four
 * bytes.
 */
public class SpdyHeaderBlockRawEncoder extends SpdyHeaderBlockEncoder {
    private static final int MAX_NAMES = 0xFFFF;
    private static final int GUESSED_BYTES = 256;

    public SpdyHeaderBlockRawEncoder(SpdyVersion spdyVersion) {
        Objects.requireNonNull(spdyVersion, "spdyVersion");
    }

    /** @throws IllegalArgumentException if there are more than 65,535 names, or if one name's values exceed 65,535 bytes */
    @Override
    public ChannelBuffer encode(SpdyHeadersFrame frame) throws Exception {
        Set<String> names = frame.headers().names();
        if (names.isEmpty()) {
            return ChannelBuffers.EMPTY_BUFFER;
        }
        if (names.size() > MAX_NAMES) {
            throw new IllegalArgumentException("number of header names > " + MAX_NAMES + ": " + names.size());
        }
        ChannelBuffer block = ChannelBuffers.dynamicBuffer(GUESSED_BYTES);
        block.writeInt(names.size());
        for (String name : names) {
            block.writeInt(name.length());
            block.writeBytes(name.getBytes(US_ASCII));
            writeValues(block, name, frame.headers().getAll(name));
        }
        return block;
    }

    /** Values are separated by NUL, so if there are several, empty ones are left out. */
    private static void writeValues(ChannelBuffer block, String name, List<String> values) {
        int lengthIndex = block.writerIndex();
        block.writeInt(0);
        int start = block.writerIndex();
        for (String value : values) {
            if (value.isEmpty()) {
                continue;
            }
            if (block.writerIndex() > start) {
                block.writeByte(0);
            }
            block.writeBytes(value.getBytes(UTF_8));
        }
        int length = block.writerIndex() - start;
        if (length > SpdyWire.MAX_TEXT_BYTES) {
            throw new IllegalArgumentException(
                    "total bytes of the values of " + name + " > " + SpdyWire.MAX_TEXT_BYTES + ": " + length);
        }
        block.setInt(lengthIndex, length);
    }

    @Override
    protected void end() {}
}
