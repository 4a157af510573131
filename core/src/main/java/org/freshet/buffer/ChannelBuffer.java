package org.freshet.buffer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.nio.charset.Charset;

/**
 * A sequence of bytes with two indices: the next byte to read and the next byte to write. {@link ChannelBuffers} makes
 * them.
 *
 * <pre>
 *   bytes    x x x x x x a b c d e f g h . . . . . .
 *   index    0           6               14         20
 *                        readerIndex     writerIndex capacity
 *
 *   x  already read: discardReadBytes() makes this space writable again
 *   a  readable:  the content; readX takes it from the front
 *   .  writable:  the space that writeX fills
 * </pre>
 *
 * <p>{@code 0 <= readerIndex <= writerIndex <= capacity} always holds.
 *
 * <h2>Relative and absolute access</h2>
 *
 * {@code readX} and {@code writeX} work at an index and move it past the bytes read or written. {@code getX} and
 * {@code setX} take an index, move nothing, and reach every byte below the capacity, readable or not. Indices and
 * lengths count bytes.
 *
 * <p>Reading beyond the writer index, accessing beyond the capacity, a negative index and a negative length throw
 * {@link IndexOutOfBoundsException} with the numbers in its message. No byte and no index has changed then. Relative
 * writes to a dynamic buffer make it grow instead.
 *
 * <p>Numbers are read and written in the {@link #order()} of the buffer. A medium is a number of three bytes. If a
 * parameter is wider than the number written, its high bits are dropped.
 *
 * <p>A whole buffer as source or destination, with or without a length, means its readable or writable bytes, and its
 * index moves along. With an explicit index, {@code (index, buffer, bufferIndex, length)}, its indices do not move. The
 * position of a {@link ByteBuffer} always moves. Source and destination may overlap and behave as if copied through a
 * third buffer, unless one of them is part of a composite and the other is not.
 *
 * <h2>Views and copies</h2>
 *
 * {@code slice}, {@code duplicate}, {@code readSlice} and, where possible, {@code toByteBuffer} share the bytes; only the
 * indices are separate. {@code copy} and {@code readBytes(int)} share nothing. No buffer needs to be released.
 *
 * <h2>Threads</h2>
 *
 * Buffers are not synchronized. Once a buffer has been handed over safely, several threads may call {@code getX} at the
 * same time as long as none writes. To call {@code readX}, each thread needs its own {@link #duplicate}.
 */
public interface ChannelBuffer extends Comparable<ChannelBuffer> {
    // ---- indices ----

    /** The index of the next byte to read. */
    int readerIndex();

    /**
     * Sets the index of the next byte to read.
     *
     * @throws IndexOutOfBoundsException unless {@code 0 <= readerIndex <= writerIndex()}
     */
    void readerIndex(int readerIndex);

    /** The index of the next byte to write. */
    int writerIndex();

    /**
     * Sets the index of the next byte to write.
     *
     * @throws IndexOutOfBoundsException unless {@code readerIndex() <= writerIndex <= capacity()}
     */
    void writerIndex(int writerIndex);

    /**
     * Sets both indices together, so their old values do not matter.
     *
     * @throws IndexOutOfBoundsException unless {@code 0 <= readerIndex <= writerIndex <= capacity()}
     */
    void setIndex(int readerIndex, int writerIndex);

    /** Sets both indices to 0. No byte changes. */
    void clear();

    /** Moves the reader index forward by {@code length} bytes. */
    void skipBytes(int length);

    /** Remembers the reader index. The mark is 0 at first. */
    void markReaderIndex();

    /** Remembers the writer index. The mark is 0 at first. */
    void markWriterIndex();

    /**
     * Sets the reader index to its mark.
     *
     * @throws IndexOutOfBoundsException if the mark is now past the writer index
     */
    void resetReaderIndex();

    /**
     * Sets the writer index to its mark.
     *
     * @throws IndexOutOfBoundsException if the mark is now before the reader index
     */
    void resetWriterIndex();

    // ---- space ----

    /** The total number of bytes. Fixed, except in a dynamic buffer, which grows. */
    int capacity();

    /** {@code writerIndex - readerIndex}. */
    int readableBytes();

    /** Whether at least one byte is readable. */
    boolean readable();

    /** {@code capacity - writerIndex}. */
    int writableBytes();

    /** Whether at least one byte is writable without growing. */
    boolean writable();

    /**
     * Ensures that there is space for writes; a dynamic buffer grows.
     *
     * @param writableBytes the space needed; zero or less needs none
     * @throws IndexOutOfBoundsException if there is less space and the buffer cannot grow
     */
    void ensureWritableBytes(int writableBytes);

    /**
     * Moves the readable bytes to index 0, and both indices and marks with them; marks stop at 0. This copies the
     * readable bytes, except in a composite.
     */
    void discardReadBytes();

    // ---- numbers of one byte ----

    byte getByte(int index);

    short getUnsignedByte(int index);

    void setByte(int index, int value);

    byte readByte();

    short readUnsignedByte();

    void writeByte(int value);

    // ---- numbers of two bytes, and characters ----

    short getShort(int index);

    int getUnsignedShort(int index);

    void setShort(int index, int value);

    short readShort();

    int readUnsignedShort();

    void writeShort(int value);

    char getChar(int index);

    void setChar(int index, int value);

    char readChar();

    void writeChar(int value);

    // ---- numbers of three bytes ----

    /** Returns the signed number of three bytes. */
    int getMedium(int index);

    /** Returns the unsigned number of three bytes, from 0 to 0xffffff. */
    int getUnsignedMedium(int index);

    /** Sets three bytes to the low three bytes of {@code value}. */
    void setMedium(int index, int value);

    /** Reads the signed number of three bytes. */
    int readMedium();

    /** Reads the unsigned number of three bytes, from 0 to 0xffffff. */
    int readUnsignedMedium();

    /** Writes the low three bytes of {@code value}. */
    void writeMedium(int value);

    // ---- numbers of four and eight bytes ----

    int getInt(int index);

    long getUnsignedInt(int index);

    void setInt(int index, int value);

    int readInt();

    long readUnsignedInt();

    void writeInt(int value);

    long getLong(int index);

    void setLong(int index, long value);

    long readLong();

    void writeLong(long value);

    // ---- floating-point numbers ----

    float getFloat(int index);

    void setFloat(int index, float value);

    float readFloat();

    void writeFloat(float value);

    double getDouble(int index);

    void setDouble(int index, double value);

    double readDouble();

    void writeDouble(double value);

    // ---- many bytes: from and to arrays ----

    /** Fills {@code dst}. */
    void getBytes(int index, byte[] dst);

    /** Copies {@code length} bytes to {@code dst}, starting at {@code dstIndex}. */
    void getBytes(int index, byte[] dst, int dstIndex, int length);

    /** Copies all of {@code src}. */
    void setBytes(int index, byte[] src);

    /** Copies {@code length} bytes of {@code src}, starting at {@code srcIndex}. */
    void setBytes(int index, byte[] src, int srcIndex, int length);

    /** Fills {@code dst}. */
    void readBytes(byte[] dst);

    /** Copies {@code length} bytes to {@code dst}, starting at {@code dstIndex}. */
    void readBytes(byte[] dst, int dstIndex, int length);

    /** Writes all of {@code src}. */
    void writeBytes(byte[] src);

    /** Writes {@code length} bytes of {@code src}, starting at {@code srcIndex}. */
    void writeBytes(byte[] src, int srcIndex, int length);

    // ---- many bytes: from and to other buffers ----

    /** Fills the writable bytes of {@code dst} and moves its writer index. */
    void getBytes(int index, ChannelBuffer dst);

    /**
     * Writes {@code length} bytes to {@code dst} and moves its writer index. {@code dst} does not grow.
     *
     * @throws IndexOutOfBoundsException also if {@code dst} has less space
     */
    void getBytes(int index, ChannelBuffer dst, int length);

    /** Copies {@code length} bytes to {@code dst}, starting at {@code dstIndex}; its indices do not move. */
    void getBytes(int index, ChannelBuffer dst, int dstIndex, int length);

    /** Copies all readable bytes of {@code src} and moves its reader index. */
    void setBytes(int index, ChannelBuffer src);

    /**
     * Copies {@code length} readable bytes of {@code src} and moves its reader index.
     *
     * @throws IndexOutOfBoundsException also if {@code src} has fewer readable bytes
     */
    void setBytes(int index, ChannelBuffer src, int length);

    /** Copies {@code length} bytes of {@code src}, starting at {@code srcIndex}; its indices do not move. */
    void setBytes(int index, ChannelBuffer src, int srcIndex, int length);

    /**
     * Fills the writable bytes of {@code dst} and moves its writer index.
     *
     * @throws IndexOutOfBoundsException if fewer bytes are readable
     */
    void readBytes(ChannelBuffer dst);

    /**
     * Writes {@code length} bytes to {@code dst} and moves its writer index. {@code dst} does not grow.
     *
     * @throws IndexOutOfBoundsException if fewer bytes are readable or {@code dst} has less space
     */
    void readBytes(ChannelBuffer dst, int length);

    /**
     * Copies {@code length} bytes to {@code dst}, starting at {@code dstIndex}; the indices of {@code dst} do not move.
     */
    void readBytes(ChannelBuffer dst, int dstIndex, int length);

    /** Writes all readable bytes of {@code src} and moves its reader index. */
    void writeBytes(ChannelBuffer src);

    /**
     * Writes {@code length} readable bytes of {@code src} and moves its reader index.
     *
     * @throws IndexOutOfBoundsException if {@code src} has fewer readable bytes or there is not enough space
     */
    void writeBytes(ChannelBuffer src, int length);

    /**
     * Writes {@code length} bytes of {@code src}, starting at {@code srcIndex}; the indices of {@code src} do not move.
     */
    void writeBytes(ChannelBuffer src, int srcIndex, int length);

    /**
     * Copies {@code length} bytes to a new buffer from {@link #factory()}, of the same order, with reader index 0 and
     * writer index {@code length}.
     */
    ChannelBuffer readBytes(int length);

    /**
     * Copies bytes until {@code dst} is full or the capacity of this buffer is reached, and moves the position of
     * {@code dst}.
     */
    void getBytes(int index, ByteBuffer dst);

    /** Copies the remaining bytes of {@code src} and moves its position to its limit. */
    void setBytes(int index, ByteBuffer src);

    /**
     * Fills the remaining space of {@code dst} and moves its position to its limit.
     *
     * @throws IndexOutOfBoundsException if fewer bytes are readable
     */
    void readBytes(ByteBuffer dst);

    /** Writes the remaining bytes of {@code src} and moves its position to its limit. */
    void writeBytes(ByteBuffer src);

    // ---- many bytes: from and to streams and channels ----

    /** Writes {@code length} bytes to {@code out}, and blocks as long as {@code out} does. */
    void getBytes(int index, OutputStream out, int length) throws IOException;

    /**
     * Reads from {@code in} until {@code length} bytes have arrived or the stream ends. If {@code in} throws, the bytes
     * read before are stored but not counted.
     *
     * @return the number of bytes read; -1 if the stream had already ended. For a length of 0, -1 if the stream reports
     *     its end
     */
    int setBytes(int index, InputStream in, int length) throws IOException;

    /** Writes {@code length} bytes to {@code out}, and blocks as long as {@code out} does. */
    void readBytes(OutputStream out, int length) throws IOException;

    /**
     * Reads from {@code in} until {@code length} bytes have arrived or the stream ends, and moves the writer index past
     * them.
     *
     * @return the number of bytes read; -1 if the stream had already ended. For a length of 0, -1 if the stream reports
     *     its end
     */
    int writeBytes(InputStream in, int length) throws IOException;

    /**
     * Writes at most {@code length} bytes to {@code out}, with one call.
     *
     * @return the number of bytes written, possibly 0
     */
    int getBytes(int index, GatheringByteChannel out, int length) throws IOException;

    /**
     * Reads from {@code in} until {@code length} bytes have arrived, nothing is available, or it ends.
     *
     * @return the number of bytes read, possibly 0; -1 if the channel had already ended or was closed
     */
    int setBytes(int index, ScatteringByteChannel in, int length) throws IOException;

    /**
     * Writes at most {@code length} bytes to {@code out}, with one call, and moves the reader index past those written.
     *
     * @return the number of bytes written, possibly 0
     */
    int readBytes(GatheringByteChannel out, int length) throws IOException;

    /**
     * Reads from {@code in} until {@code length} bytes have arrived, nothing is available, or it ends, and moves the
     * writer index past them.
     *
     * @return the number of bytes read, possibly 0; -1 if the channel had already ended or was closed
     */
    int writeBytes(ScatteringByteChannel in, int length) throws IOException;

    // ---- many bytes: zeros ----

    /**
     * Sets {@code length} bytes to 0.
     *
     * @throws IllegalArgumentException if {@code length} is negative
     */
    void setZero(int index, int length);

    /**
     * Writes {@code length} zero bytes.
     *
     * @throws IllegalArgumentException if {@code length} is negative
     */
    void writeZero(int length);

    // ---- search ----

    /**
     * Returns how many readable bytes come before the first {@code value}.
     *
     * @return a number relative to the reader index, or -1 if {@code value} is not found
     */
    int bytesBefore(byte value);

    /** Returns how many readable bytes come before the first one that {@code indexFinder} accepts, or -1. */
    int bytesBefore(ChannelBufferIndexFinder indexFinder);

    /**
     * Returns how many of the next {@code length} readable bytes come before the first {@code value}, or -1.
     *
     * @throws IndexOutOfBoundsException if fewer bytes are readable
     */
    int bytesBefore(int length, byte value);

    /**
     * Returns how many of the next {@code length} readable bytes come before the first one that {@code indexFinder}
     * accepts, or -1. Throws like {@link #bytesBefore(int, byte)}.
     */
    int bytesBefore(int length, ChannelBufferIndexFinder indexFinder);

    /**
     * Returns how many of the {@code length} bytes from {@code index} come before the first {@code value}.
     *
     * @return a number relative to {@code index}, or -1 if {@code value} is not found
     */
    int bytesBefore(int index, int length, byte value);

    /**
     * Returns how many of the {@code length} bytes from {@code index} come before the first one that
     * {@code indexFinder} accepts, or -1.
     */
    int bytesBefore(int index, int length, ChannelBufferIndexFinder indexFinder);

    /**
     * Finds a byte. If {@code fromIndex <= toIndex}, searches upwards from {@code fromIndex} to {@code toIndex - 1};
     * otherwise downwards from {@code fromIndex - 1} to {@code toIndex}. The range is clipped to the capacity.
     *
     * @return the absolute index of the first hit in that direction, or -1
     */
    int indexOf(int fromIndex, int toIndex, byte value);

    /**
     * Finds a byte that {@code indexFinder} accepts. Range and result are those of {@link #indexOf(int, int, byte)}.
     */
    int indexOf(int fromIndex, int toIndex, ChannelBufferIndexFinder indexFinder);

    // ---- views and copies ----

    /** Returns a view of the readable bytes. All of it is readable, and its capacity is their number. */
    ChannelBuffer slice();

    /**
     * Returns a view of {@code length} bytes from {@code index}. All of it is readable, and its capacity is
     * {@code length}.
     */
    ChannelBuffer slice(int index, int length);

    /** Reads {@code length} bytes as a {@link #slice(int, int) slice}. */
    ChannelBuffer readSlice(int length);

    /** Returns a view of the whole buffer that starts with the same indices. Its marks start at 0. */
    ChannelBuffer duplicate();

    /** Returns a copy of the readable bytes, all readable. */
    ChannelBuffer copy();

    /** Returns a copy of {@code length} bytes from {@code index}, all readable. */
    ChannelBuffer copy(int index, int length);

    /** Returns the readable bytes in the form of {@link #toByteBuffer(int, int)}. */
    ByteBuffer toByteBuffer();

    /**
     * Returns {@code length} bytes from {@code index} as the remaining bytes of a ByteBuffer of the same order. It
     * shares the bytes unless they span several components of a composite. Its position need not be 0.
     */
    ByteBuffer toByteBuffer(int index, int length);

    /** Returns the readable bytes in the form of {@link #toByteBuffers(int, int)}. */
    ByteBuffer[] toByteBuffers();

    /**
     * Returns {@code length} bytes from {@code index} as the remaining bytes of consecutive ByteBuffers, without a
     * copy.
     */
    ByteBuffer[] toByteBuffers(int index, int length);

    // ---- memory ----

    /** The byte order of numbers. */
    ByteOrder order();

    /** Whether the bytes are in direct memory. */
    boolean isDirect();

    /** The factory for buffers of the same kind of memory. */
    ChannelBufferFactory factory();

    /** Whether {@link #array()} and {@link #arrayOffset()} are available. */
    boolean hasArray();

    /**
     * Returns the array that holds the bytes. It may be longer than this buffer.
     *
     * @throws UnsupportedOperationException if the buffer has no array or is read-only
     */
    byte[] array();

    /**
     * Returns the position in {@link #array()} of the byte with index 0.
     *
     * @throws UnsupportedOperationException if the buffer has no array or is read-only
     */
    int arrayOffset();

    // ---- content as a value ----

    /** Returns whether {@code other} is a buffer with the same readable bytes, whatever its kind, order and indices. */
    @Override
    boolean equals(Object other);

    /** Hashes the readable bytes alone: equal buffers of different kind, order or indices have the same hash. */
    @Override
    int hashCode();

    /** Compares the readable bytes from the front as unsigned numbers; a prefix comes before the longer buffer. */
    @Override
    int compareTo(ChannelBuffer other);

    /** Decodes the readable bytes; malformed bytes become the replacement character of {@code charset}. */
    String toString(Charset charset);

    /** Decodes part of the buffer; malformed bytes become the replacement character of {@code charset}. */
    String toString(int index, int length, Charset charset);

    /** Describes the kind of buffer and its indices, never its bytes. */
    @Override
    String toString();
}
