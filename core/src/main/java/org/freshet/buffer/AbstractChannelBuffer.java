package org.freshet.buffer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.nio.charset.Charset;

/**
 * Owns the two indices and their marks, and builds every relative operation on the absolute ones.
 *
 * <p>A new kind of buffer extends this class and supplies absolute access. Relative operations move an index only after
 * the absolute one has succeeded, so a failed call leaves the indices unchanged.
 *
 * <p>Not synchronized: only one thread at a time may call methods that move an index or write.
 */
public abstract class AbstractChannelBuffer implements ChannelBuffer {
    private int readAt;
    private int writeAt;
    private int readMark;
    private int writeMark;

    /** Starts with both indices and both marks at 0. */
    protected AbstractChannelBuffer() {}

    @Override
    public int readerIndex() {
        return readAt;
    }

    @Override
    public void readerIndex(int readerIndex) {
        if (readerIndex < 0 || readerIndex > writeAt) {
            throw badIndices(readerIndex, writeAt);
        }
        readAt = readerIndex;
    }

    @Override
    public int writerIndex() {
        return writeAt;
    }

    @Override
    public void writerIndex(int writerIndex) {
        if (writerIndex < readAt || writerIndex > capacity()) {
            throw badIndices(readAt, writerIndex);
        }
        writeAt = writerIndex;
    }

    @Override
    public void setIndex(int readerIndex, int writerIndex) {
        if (readerIndex < 0 || readerIndex > writerIndex || writerIndex > capacity()) {
            throw badIndices(readerIndex, writerIndex);
        }
        readAt = readerIndex;
        writeAt = writerIndex;
    }

    @Override
    public void clear() {
        readAt = 0;
        writeAt = 0;
    }

    @Override
    public boolean readable() {
        return readableBytes() > 0;
    }

    @Override
    public boolean writable() {
        return writableBytes() > 0;
    }

    @Override
    public int readableBytes() {
        return writeAt - readAt;
    }

    @Override
    public int writableBytes() {
        return capacity() - writeAt;
    }

    @Override
    public void markReaderIndex() {
        readMark = readAt;
    }

    @Override
    public void resetReaderIndex() {
        readerIndex(readMark);
    }

    @Override
    public void markWriterIndex() {
        writeMark = writeAt;
    }

    @Override
    public void resetWriterIndex() {
        writerIndex(writeMark);
    }

    @Override
    public void discardReadBytes() {
        if (readAt > 0) {
            setBytes(0, this, readAt, readableBytes());
            shiftIndices(readAt);
        }
    }

    /** Moves indices and marks down by {@code distance}, at most {@link #readerIndex()}; the marks stop at 0. */
    final void shiftIndices(int distance) {
        readAt -= distance;
        writeAt -= distance;
        readMark = Math.max(0, readMark - distance);
        writeMark = Math.max(0, writeMark - distance);
    }

    @Override
    public void ensureWritableBytes(int writableBytes) {
        if (writableBytes > writableBytes()) {
            throw new IndexOutOfBoundsException(
                    "not writable: " + writableBytes + " bytes, writerIndex " + writeAt + ", capacity " + capacity());
        }
    }

    @Override
    public short getUnsignedByte(int index) {
        return (short) (getByte(index) & 0xff);
    }

    @Override
    public int getUnsignedShort(int index) {
        return getShort(index) & 0xffff;
    }

    @Override
    public int getMedium(int index) {
        return signExtendMedium(getUnsignedMedium(index));
    }

    @Override
    public long getUnsignedInt(int index) {
        return getInt(index) & 0xffff_ffffL;
    }

    @Override
    public char getChar(int index) {
        return (char) getShort(index);
    }

    @Override
    public float getFloat(int index) {
        return Float.intBitsToFloat(getInt(index));
    }

    @Override
    public double getDouble(int index) {
        return Double.longBitsToDouble(getLong(index));
    }

    @Override
    public void getBytes(int index, byte[] dst) {
        getBytes(index, dst, 0, dst.length);
    }

    @Override
    public void getBytes(int index, ChannelBuffer dst) {
        getBytes(index, dst, dst.writableBytes());
    }

    @Override
    public void getBytes(int index, ChannelBuffer dst, int length) {
        checkWritable(dst, length);
        getBytes(index, dst, dst.writerIndex(), length);
        dst.writerIndex(dst.writerIndex() + length);
    }

    @Override
    public void setChar(int index, int value) {
        setShort(index, value);
    }

    @Override
    public void setFloat(int index, float value) {
        setInt(index, Float.floatToRawIntBits(value));
    }

    @Override
    public void setDouble(int index, double value) {
        setLong(index, Double.doubleToRawLongBits(value));
    }

    @Override
    public void setBytes(int index, byte[] src) {
        setBytes(index, src, 0, src.length);
    }

    @Override
    public void setBytes(int index, ChannelBuffer src) {
        setBytes(index, src, src.readableBytes());
    }

    @Override
    public void setBytes(int index, ChannelBuffer src, int length) {
        checkReadable(src, length);
        setBytes(index, src, src.readerIndex(), length);
        src.readerIndex(src.readerIndex() + length);
    }

    @Override
    public void setZero(int index, int length) {
        checkNotNegative(length);
        Bounds.check(index, length, capacity());
        int end = index + length;
        int at = index;
        for (; at <= end - Long.BYTES; at += Long.BYTES) {
            setLong(at, 0);
        }
        for (; at < end; at++) {
            setByte(at, 0);
        }
    }

    @Override
    public byte readByte() {
        int start = readAt;
        if (start >= writeAt) {
            throw notReadable(this, 1);
        }
        byte value = getByte(start);
        readAt = start + 1;
        return value;
    }

    @Override
    public short readUnsignedByte() {
        return getUnsignedByte(take(1));
    }

    @Override
    public short readShort() {
        return getShort(take(2));
    }

    @Override
    public int readUnsignedShort() {
        return getUnsignedShort(take(2));
    }

    @Override
    public int readMedium() {
        return signExtendMedium(readUnsignedMedium());
    }

    @Override
    public int readUnsignedMedium() {
        return getUnsignedMedium(take(3));
    }

    @Override
    public int readInt() {
        return getInt(take(4));
    }

    @Override
    public long readUnsignedInt() {
        return getUnsignedInt(take(4));
    }

    @Override
    public long readLong() {
        return getLong(take(8));
    }

    @Override
    public char readChar() {
        return (char) readShort();
    }

    @Override
    public float readFloat() {
        return Float.intBitsToFloat(readInt());
    }

    @Override
    public double readDouble() {
        return Double.longBitsToDouble(readLong());
    }

    @Override
    public ChannelBuffer readBytes(int length) {
        checkReadableBytes(length);
        if (length == 0) {
            return ChannelBuffers.EMPTY_BUFFER;
        }
        ChannelBuffer dst = factory().getBuffer(order(), length);
        dst.writeBytes(this, readAt, length);
        readAt += length;
        return dst;
    }

    @Override
    public ChannelBuffer readSlice(int length) {
        checkReadableBytes(length);
        ChannelBuffer slice = slice(readAt, length);
        readAt += length;
        return slice;
    }

    @Override
    public void readBytes(byte[] dst, int dstIndex, int length) {
        checkReadableBytes(length);
        getBytes(readAt, dst, dstIndex, length);
        readAt += length;
    }

    @Override
    public void readBytes(byte[] dst) {
        readBytes(dst, 0, dst.length);
    }

    @Override
    public void readBytes(ChannelBuffer dst) {
        readBytes(dst, dst.writableBytes());
    }

    @Override
    public void readBytes(ChannelBuffer dst, int length) {
        checkWritable(dst, length);
        readBytes(dst, dst.writerIndex(), length);
        dst.writerIndex(dst.writerIndex() + length);
    }

    @Override
    public void readBytes(ChannelBuffer dst, int dstIndex, int length) {
        checkReadableBytes(length);
        getBytes(readAt, dst, dstIndex, length);
        readAt += length;
    }

    @Override
    public void readBytes(ByteBuffer dst) {
        int length = dst.remaining();
        checkReadableBytes(length);
        getBytes(readAt, dst);
        readAt += length;
    }

    @Override
    public int readBytes(GatheringByteChannel out, int length) throws IOException {
        checkReadableBytes(length);
        int written = getBytes(readAt, out, length);
        readAt += written;
        return written;
    }

    @Override
    public void readBytes(OutputStream out, int length) throws IOException {
        checkReadableBytes(length);
        getBytes(readAt, out, length);
        readAt += length;
    }

    @Override
    public void skipBytes(int length) {
        take(length);
    }

    @Override
    public void writeByte(int value) {
        setByte(room(1), value);
        writeAt += 1;
    }

    @Override
    public void writeShort(int value) {
        setShort(room(2), value);
        writeAt += 2;
    }

    @Override
    public void writeMedium(int value) {
        setMedium(room(3), value);
        writeAt += 3;
    }

    @Override
    public void writeInt(int value) {
        setInt(room(4), value);
        writeAt += 4;
    }

    @Override
    public void writeLong(long value) {
        setLong(room(8), value);
        writeAt += 8;
    }

    @Override
    public void writeChar(int value) {
        writeShort(value);
    }

    @Override
    public void writeFloat(float value) {
        writeInt(Float.floatToRawIntBits(value));
    }

    @Override
    public void writeDouble(double value) {
        writeLong(Double.doubleToRawLongBits(value));
    }

    @Override
    public void writeBytes(byte[] src, int srcIndex, int length) {
        Bounds.check(srcIndex, length, src.length);
        setBytes(room(length), src, srcIndex, length);
        writeAt += length;
    }

    @Override
    public void writeBytes(byte[] src) {
        writeBytes(src, 0, src.length);
    }

    @Override
    public void writeBytes(ChannelBuffer src) {
        writeBytes(src, src.readableBytes());
    }

    @Override
    public void writeBytes(ChannelBuffer src, int length) {
        checkReadable(src, length);
        writeBytes(src, src.readerIndex(), length);
        src.readerIndex(src.readerIndex() + length);
    }

    @Override
    public void writeBytes(ChannelBuffer src, int srcIndex, int length) {
        Bounds.check(srcIndex, length, src.capacity());
        setBytes(room(length), src, srcIndex, length);
        writeAt += length;
    }

    @Override
    public void writeBytes(ByteBuffer src) {
        int length = src.remaining();
        setBytes(room(length), src);
        writeAt += length;
    }

    @Override
    public int writeBytes(InputStream in, int length) throws IOException {
        return wrote(setBytes(room(length), in, length));
    }

    @Override
    public int writeBytes(ScatteringByteChannel in, int length) throws IOException {
        return wrote(setBytes(room(length), in, length));
    }

    @Override
    public void writeZero(int length) {
        setZero(room(length), length);
        writeAt += length;
    }

    @Override
    public ChannelBuffer copy() {
        return copy(readAt, readableBytes());
    }

    @Override
    public ChannelBuffer slice() {
        return slice(readAt, readableBytes());
    }

    @Override
    public ByteBuffer toByteBuffer() {
        return toByteBuffer(readAt, readableBytes());
    }

    @Override
    public ByteBuffer[] toByteBuffers() {
        return toByteBuffers(readAt, readableBytes());
    }

    @Override
    public ByteBuffer[] toByteBuffers(int index, int length) {
        return new ByteBuffer[] {toByteBuffer(index, length)};
    }

    @Override
    public String toString(Charset charset) {
        return toString(readAt, readableBytes(), charset);
    }

    @Override
    public String toString(int index, int length, Charset charset) {
        return TextCodec.decode(this, index, length, charset);
    }

    @Override
    public int indexOf(int fromIndex, int toIndex, byte value) {
        return ByteSearch.indexOf(this, fromIndex, toIndex, value);
    }

    @Override
    public int indexOf(int fromIndex, int toIndex, ChannelBufferIndexFinder indexFinder) {
        return ByteSearch.indexOf(this, fromIndex, toIndex, indexFinder);
    }

    @Override
    public int bytesBefore(byte value) {
        return bytesBefore(readAt, readableBytes(), value);
    }

    @Override
    public int bytesBefore(ChannelBufferIndexFinder indexFinder) {
        return bytesBefore(readAt, readableBytes(), indexFinder);
    }

    @Override
    public int bytesBefore(int length, byte value) {
        checkReadableBytes(length);
        return bytesBefore(readAt, length, value);
    }

    @Override
    public int bytesBefore(int length, ChannelBufferIndexFinder indexFinder) {
        checkReadableBytes(length);
        return bytesBefore(readAt, length, indexFinder);
    }

    @Override
    public int bytesBefore(int index, int length, byte value) {
        Bounds.check(index, length, capacity());
        int found = indexOf(index, index + length, value);
        return found < 0 ? -1 : found - index;
    }

    @Override
    public int bytesBefore(int index, int length, ChannelBufferIndexFinder indexFinder) {
        Bounds.check(index, length, capacity());
        int found = indexOf(index, index + length, indexFinder);
        return found < 0 ? -1 : found - index;
    }

    @Override
    public int hashCode() {
        return ByteComparison.hash(this);
    }

    @Override
    public boolean equals(Object other) {
        return other == this || other instanceof ChannelBuffer that && ByteComparison.equal(this, that);
    }

    @Override
    public int compareTo(ChannelBuffer that) {
        return ByteComparison.compare(this, that);
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "(ridx=" + readAt + ", widx=" + writeAt + ", cap=" + capacity() + ')';
    }

    /**
     * Checks that {@code minimumReadableBytes} can be read.
     *
     * @throws IndexOutOfBoundsException if the number is negative or fewer bytes are readable
     */
    protected void checkReadableBytes(int minimumReadableBytes) {
        if (minimumReadableBytes < 0 || readAt > writeAt - minimumReadableBytes) {
            throw notReadable(this, minimumReadableBytes);
        }
    }

    /** Called before {@code bytes} are written at the writer index: a growing buffer makes room for them. */
    void makeRoom(int bytes) {}

    /** Makes room for the next {@code bytes} and returns the index at which to write them. */
    private int room(int bytes) {
        makeRoom(bytes);
        return writeAt;
    }

    /**
     * Moves the writer index past the bytes read from a stream (-1 at its end moves nothing) and returns their number.
     */
    private int wrote(int bytes) {
        writeAt += Math.max(bytes, 0);
        return bytes;
    }

    /** Moves the reader index over {@code length} bytes and returns where they start. */
    private int take(int length) {
        checkReadableBytes(length);
        int start = readAt;
        readAt = start + length;
        return start;
    }

    private static void checkReadable(ChannelBuffer buffer, int length) {
        if (length < 0 || length > buffer.readableBytes()) {
            throw notReadable(buffer, length);
        }
    }

    private static IndexOutOfBoundsException notReadable(ChannelBuffer buffer, int length) {
        return new IndexOutOfBoundsException("not readable: " + length + " bytes, readerIndex " + buffer.readerIndex()
                + ", writerIndex " + buffer.writerIndex());
    }

    private static void checkWritable(ChannelBuffer buffer, int length) {
        if (length < 0 || length > buffer.writableBytes()) {
            throw new IndexOutOfBoundsException("not writable: " + length + " bytes, writerIndex "
                    + buffer.writerIndex() + ", capacity " + buffer.capacity());
        }
    }

    private static void checkNotNegative(int length) {
        if (length < 0) {
            throw new IllegalArgumentException("length < 0: " + length);
        }
    }

    private static int signExtendMedium(int value) {
        return value << 8 >> 8;
    }

    private IndexOutOfBoundsException badIndices(int readerIndex, int writerIndex) {
        return new IndexOutOfBoundsException("not 0 <= readerIndex <= writerIndex <= capacity: " + readerIndex + ", "
                + writerIndex + ", " + capacity());
    }
}
