package org.freshet.handler.codec.marshalling;

import java.io.EOFException;
import java.io.IOException;
import org.freshet.buffer.ChannelBuffer;
import org.jboss.marshalling.ByteInput;

/**
 * Reads the readable bytes of a buffer that holds a complete object. Reading past the end throws {@link EOFException}
 * instead of returning -1: an unmarshaller in the middle of a block would ask again forever. Belongs to the thread that
 * reads.
 */
final class ChannelBufferByteInput implements ByteInput {
    private final ChannelBuffer buffer;

    ChannelBufferByteInput(ChannelBuffer buffer) {
        this.buffer = buffer;
    }

    private void checkReadable() throws EOFException {
        if (!buffer.readable()) {
            throw new EOFException("object extends beyond its bytes");
        }
    }

    @Override
    public int read() throws IOException {
        checkReadable();
        return buffer.readUnsignedByte();
    }

    @Override
    public int read(byte[] bytes) throws IOException {
        return read(bytes, 0, bytes.length);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        checkReadable();
        int available = Math.min(length, buffer.readableBytes());
        buffer.readBytes(bytes, offset, available);
        return available;
    }

    @Override
    public int available() throws IOException {
        return buffer.readableBytes();
    }

    @Override
    public long skip(long count) throws IOException {
        if (count <= 0) {
            return 0;
        }
        checkReadable();
        int skipped = (int) Math.min(count, buffer.readableBytes());
        buffer.skipBytes(skipped);
        return skipped;
    }

    @Override
    public void close() throws IOException {
        // Nothing to close.
    }
}
