package org.freshet.handler.codec.marshalling;

import java.io.IOException;
import org.freshet.buffer.ChannelBuffer;
import org.jboss.marshalling.ByteOutput;

/** Appends to a buffer, normally a dynamic one. Belongs to the thread that writes. */
final class ChannelBufferByteOutput implements ByteOutput {
    private final ChannelBuffer buffer;

    ChannelBufferByteOutput(ChannelBuffer buffer) {
        this.buffer = buffer;
    }

    @Override
    public void write(int b) throws IOException {
        buffer.writeByte(b);
    }

    @Override
    public void write(byte[] bytes) throws IOException {
        buffer.writeBytes(bytes);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        buffer.writeBytes(bytes, offset, length);
    }

    @Override
    public void flush() throws IOException {
        // Nothing is buffered here.
    }

    @Override
    public void close() throws IOException {
        // Nothing to close.
    }
}
