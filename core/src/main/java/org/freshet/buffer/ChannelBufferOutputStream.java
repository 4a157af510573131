package org.freshet.buffer;

import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;

/**
 * Writes to a buffer as a stream; the writer index of the buffer moves along.
 *
 * <p>Numbers are written in the buffer's byte order, so this follows {@link DataOutput} exactly only with a big endian
 * buffer; {@link #writeUTF} is the same for both orders. If the buffer is full and cannot grow, writing throws
 * {@link IndexOutOfBoundsException}. Closing and flushing do nothing.
 *
 * <p>Not thread-safe, like the buffer.
 */
public class ChannelBufferOutputStream extends OutputStream implements DataOutput {
    private final ChannelBuffer buffer;
    /** The writer index when the stream began. */
    private final int start;

    /** Creates a stream that starts at the writer index of {@code buffer}. */
    public ChannelBufferOutputStream(ChannelBuffer buffer) {
        this.buffer = Objects.requireNonNull(buffer, "buffer");
        start = buffer.writerIndex();
    }

    /** The number of bytes written so far. */
    public int writtenBytes() {
        return buffer.writerIndex() - start;
    }

    /** The buffer written to. */
    public ChannelBuffer buffer() {
        return buffer;
    }

    @Override
    public void write(byte[] src, int offset, int length) throws IOException {
        buffer.writeBytes(src, offset, length);
    }

    @Override
    public void write(byte[] src) throws IOException {
        buffer.writeBytes(src);
    }

    @Override
    public void write(int value) throws IOException {
        buffer.writeByte(value);
    }

    @Override
    public void writeBoolean(boolean value) throws IOException {
        buffer.writeByte(value ? 1 : 0);
    }

    @Override
    public void writeByte(int value) throws IOException {
        buffer.writeByte(value);
    }

    @Override
    public void writeShort(int value) throws IOException {
        buffer.writeShort(value);
    }

    @Override
    public void writeChar(int value) throws IOException {
        buffer.writeChar(value);
    }

    @Override
    public void writeInt(int value) throws IOException {
        buffer.writeInt(value);
    }

    @Override
    public void writeLong(long value) throws IOException {
        buffer.writeLong(value);
    }

    @Override
    public void writeFloat(float value) throws IOException {
        buffer.writeFloat(value);
    }

    @Override
    public void writeDouble(double value) throws IOException {
        buffer.writeDouble(value);
    }

    /** Writes the low byte of each character. */
    @Override
    public void writeBytes(String text) throws IOException {
        buffer.ensureWritableBytes(text.length());
        for (int i = 0; i < text.length(); i++) {
            buffer.writeByte(text.charAt(i));
        }
    }

    @Override
    public void writeChars(String text) throws IOException {
        for (int i = 0; i < text.length(); i++) {
            buffer.writeChar(text.charAt(i));
        }
    }

    @Override
    public void writeUTF(String text) throws IOException {
        // Through bytes: the length is big endian by definition, whatever the buffer's order.
        new DataOutputStream(this).writeUTF(text);
    }
}
