package org.freshet.buffer;

import java.io.DataInput;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads a buffer as a stream; the reader index of the buffer moves along.
 *
 * <p>Numbers are read in the buffer's byte order, so this follows {@link DataInput} exactly only with a big endian
 * buffer; {@link #readUTF} is the same for both orders. The mark is the buffer's reader mark. Closing does nothing.
 *
 * <p>Not thread-safe, like the buffer.
 */
public class ChannelBufferInputStream extends InputStream implements DataInput {
    private final ChannelBuffer buffer;
    /** The reader index when the stream began. */
    private final int start;
    /** The reader index at which the stream ends. */
    private final int end;

    /** Creates a stream over the bytes readable now. Marks the reader index. */
    public ChannelBufferInputStream(ChannelBuffer buffer) {
        this(buffer, buffer.readableBytes());
    }

    /**
     * Creates a stream over the next {@code length} readable bytes. Marks the reader index.
     *
     * @throws IllegalArgumentException if {@code length} is negative
     * @throws IndexOutOfBoundsException if fewer bytes are readable
     */
    public ChannelBufferInputStream(ChannelBuffer buffer, int length) {
        if (length < 0) {
            throw new IllegalArgumentException("length < 0: " + length);
        }
        if (length > buffer.readableBytes()) {
            throw new IndexOutOfBoundsException("length > readableBytes: " + length + ", " + buffer.readableBytes());
        }
        this.buffer = buffer;
        start = buffer.readerIndex();
        end = start + length;
        buffer.markReaderIndex();
    }

    /** The number of bytes read so far. */
    public int readBytes() {
        return buffer.readerIndex() - start;
    }

    @Override
    public int available() {
        return end - buffer.readerIndex();
    }

    @Override
    public void mark(int readLimit) {
        buffer.markReaderIndex();
    }

    @Override
    public boolean markSupported() {
        return true;
    }

    @Override
    public void reset() throws IOException {
        buffer.resetReaderIndex();
    }

    @Override
    public int read() throws IOException {
        return available() > 0 ? buffer.readUnsignedByte() : -1;
    }

    @Override
    public int read(byte[] dst, int offset, int length) throws IOException {
        Bounds.check(offset, length, dst.length);
        if (length == 0) {
            return 0;
        }
        if (available() <= 0) {
            return -1;
        }
        int read = Math.min(length, available());
        buffer.readBytes(dst, offset, read);
        return read;
    }

    @Override
    public long skip(long count) throws IOException {
        int skipped = (int) Math.max(0, Math.min(count, available()));
        buffer.skipBytes(skipped);
        return skipped;
    }

    @Override
    public int skipBytes(int count) throws IOException {
        return (int) skip(count);
    }

    @Override
    public boolean readBoolean() throws IOException {
        return readByte() != 0;
    }

    @Override
    public byte readByte() throws IOException {
        require(1);
        return buffer.readByte();
    }

    @Override
    public int readUnsignedByte() throws IOException {
        return readByte() & 0xff;
    }

    @Override
    public short readShort() throws IOException {
        require(2);
        return buffer.readShort();
    }

    @Override
    public int readUnsignedShort() throws IOException {
        return readShort() & 0xffff;
    }

    @Override
    public char readChar() throws IOException {
        return (char) readShort();
    }

    @Override
    public int readInt() throws IOException {
        require(4);
        return buffer.readInt();
    }

    @Override
    public long readLong() throws IOException {
        require(8);
        return buffer.readLong();
    }

    @Override
    public float readFloat() throws IOException {
        return Float.intBitsToFloat(readInt());
    }

    @Override
    public double readDouble() throws IOException {
        return Double.longBitsToDouble(readLong());
    }

    @Override
    public void readFully(byte[] dst) throws IOException {
        readFully(dst, 0, dst.length);
    }

    @Override
    public void readFully(byte[] dst, int offset, int length) throws IOException {
        require(length);
        buffer.readBytes(dst, offset, length);
    }

    /**
     * Reads a line in ISO-8859-1, without the CR, LF or CR LF that ends it; the end of the stream also ends a line.
     * Returns null at the end.
     */
    @Override
    public String readLine() throws IOException {
        if (available() <= 0) {
            return null;
        }
        StringBuilder line = new StringBuilder();
        while (available() > 0) {
            int character = buffer.readUnsignedByte();
            if (character == '\n') {
                break;
            }
            if (character == '\r') {
                skipLineFeed();
                break;
            }
            line.append((char) character);
        }
        return line.toString();
    }

    private void skipLineFeed() {
        if (available() > 0 && buffer.getByte(buffer.readerIndex()) == '\n') {
            buffer.skipBytes(1);
        }
    }

    @Override
    public String readUTF() throws IOException {
        // Through bytes: the length is big endian by definition, whatever the buffer's order.
        return DataInputStream.readUTF(new DataInputStream(this));
    }

    private void require(int length) throws EOFException {
        if (length > available()) {
            throw new EOFException("length > available: " + length + ", " + available());
        }
    }
}
