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
 * A sequence of bytes with two indices: what is read next and what is written next. {@link ChannelBuffers} makes them.
 *
 * <pre>
 *   bytes    x x x x x x a b c d e f g h . . . . . .
 *   index    0           6               14         20
 *                        readerIndex     writerIndex capacity
 *
 *   x  were read: discardReadBytes() makes their room writable again
 *   a  readable:  the content; readX takes it from the front
 *   .  writable:  room that writeX fills
 * </pre>
 *
 * <p>It always holds that {@code 0 <= readerIndex <= writerIndex <= capacity}.
 *
 * <h2>Relative and absolute access</h2>
 *
 * {@code readX} and {@code writeX} work at an index and move it past what they read or wrote. {@code getX} and {@code setX}
 * take an index, move nothing, and reach every byte below the capacity, readable or not. Indices and lengths count bytes.
 *
 * <p>Reading beyond the writer index, accessing beyond the capacity, a negative index and a negative length throw
 * {@link IndexOutOfBoundsException} with the numbers in its message; no byte and no index has changed then. A dynamic buffer
 * grows with relative writes instead.
 *
 * <p>Numbers are read and written in the {@link #order()} of the buffer. A medium is a number of three bytes. A parameter
 * wider than what is written loses its high bits.
 *
 * <p>A whole buffer as source or destination, with or without a length, means its readable or writable bytes: its index
 * moves along. With an index of its own, {@code (index, buffer, bufferIndex, length)}, it does not. The position of a
 * {@link ByteBuffer} always moves. Source and destination may overlap, and behave as if copied through a third
 * buffer, unless one of them is part of a composite and the other is not.
 *
 * <h2>Views and copies</h2>
 *
 * {@code slice}, {@code duplicate}, {@code readSlice} and, where possible, {@code toByteBuffer} share the bytes; only the
 * indices are separate. {@code copy} and {@code readBytes(int)} share nothing. No buffer needs to be released.
 *
 * <h2>Threads</h2>
 *
 * Buffers are not synchronized. Once handed over safely, several threads may call {@code getX} at a time as long as none
 * writes; each needs a {@link #duplicate} of its own to call {@code readX}.
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
     * Sets both indices at once, so that their old values do not matter.
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
     * @throws IndexOutOfBoundsException if the mark is now behind the writer index
     */
    void resetReaderIndex();

    /**
     * Sets the writer index to its mark.
     *
     * @throws IndexOutOfBoundsException if the mark is now before the reader index
     */
    void resetWriterIndex();

    // ---- room ----

    /** The number of bytes in all. Fixed, except that a dynamic buffer grows. */
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
     * Ensures that there is room for writes; a dynamic buffer grows.
     *
     * @param writableBytes the room needed; a negative number needs none
     * @throws IndexOutOfBoundsException if there is less and the buffer cannot grow
     */
    void ensureWritableBytes(int writableBytes);

    /**
     * Moves the readable bytes to index 0 and both indices and marks with them; a mark that would become negative becomes 0.
     * Costs a copy of the readable bytes, except in a composite.
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

    /** A number of three bytes, with its sign. */
    int getMedium(int index);

    /** A number of three bytes, from 0 to 0xffffff. */
    int getUnsignedMedium(int index);

    /** Sets three bytes to the low three bytes of {@code value}. */
    void setMedium(int index, int value);

    /** A number of three bytes, with its sign. */
    int readMedium();

    /** A number of three bytes, from 0 to 0xffffff. */
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

    /** Copies {@code length} bytes to {@code dst} from {@code dstIndex} on. */
    void getBytes(int index, byte[] dst, int dstIndex, int length);

    /** Copies all of {@code src}. */
    void setBytes(int index, byte[] src);

    /** Copies {@code length} bytes of {@code src} from {@code srcIndex} on. */
    void setBytes(int index, byte[] src, int srcIndex, int length);

    /** Fills {@code dst}. */
    void readBytes(byte[] dst);

    /** Copies {@code length} bytes to {@code dst} from {@code dstIndex} on. */
    void readBytes(byte[] dst, int dstIndex, int length);

    /** Writes all of {@code src}. */
    void writeBytes(byte[] src);

    /** Writes {@code length} bytes of {@code src} from {@code srcIndex} on. */
    void writeBytes(byte[] src, int srcIndex, int length);

    // ---- many bytes: from and to other buffers ----

    /** Fills the writable bytes of {@code dst} and moves its writer index. */
    void getBytes(int index, ChannelBuffer dst);

    /**
     * Writes {@code length} bytes to {@code dst} and moves its writer index. {@code dst} does not grow.
     *
     * @throws IndexOutOfBoundsException if {@code dst} has less room, too
     */
    void getBytes(int index, ChannelBuffer dst, int length);

    /** Copies {@code length} bytes to {@code dst} from {@code dstIndex} on; its indices do not move. */
    void getBytes(int index, ChannelBuffer dst, int dstIndex, int length);

    /** Copies all readable bytes of {@code src} and moves its reader index. */
    void setBytes(int index, ChannelBuffer src);

    /**
     * Copies {@code length} readable bytes of {@code src} and moves its reader index.
     *
     * @throws IndexOutOfBoundsException if fewer are readable in {@code src}, too
     */
    void setBytes(int index, ChannelBuffer src, int length);

    /** Copies {@code length} bytes of {@code src} from {@code srcIndex} on; its indices do not move. */
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
     * @throws IndexOutOfBoundsException if fewer bytes are readable or {@code dst} has less room
     */
    void readBytes(ChannelBuffer dst, int length);

    /** Copies {@code length} bytes to {@code dst} from {@code dstIndex} on; the indices of {@code dst} do not move. */
    void readBytes(ChannelBuffer dst, int dstIndex, int length);

    /** Writes all readable bytes of {@code src} and moves its reader index. */
    void writeBytes(ChannelBuffer src);

    /**
     * Writes {@code length} readable bytes of {@code src} and moves its reader index.
     *
     * @throws IndexOutOfBoundsException if fewer are readable in {@code src}, or there is no room
     */
    void writeBytes(ChannelBuffer src, int length);

    /** Writes {@code length} bytes of {@code src} from {@code srcIndex} on; the indices of {@code src} do not move. */
    void writeBytes(ChannelBuffer src, int srcIndex, int length);

    /** Copies {@code length} bytes to a new buffer of {@link #factory()} and the same order, with indices 0 and length. */
    ChannelBuffer readBytes(int length);

    /**
     * Copies bytes until {@code dst} is full or the capacity of this buffer is reached, and moves the position of
     * {@code dst}.
     */
    void getBytes(int index, ByteBuffer dst);

    /** Copies what remains in {@code src} and moves its position to its limit. */
    void setBytes(int index, ByteBuffer src);

    /**
     * Fills what remains in {@code dst} and moves its position to its limit.
     *
     * @throws IndexOutOfBoundsException if fewer bytes are readable
     */
    void readBytes(ByteBuffer dst);

    /** Writes what remains in {@code src} and moves its position to its limit. */
    void writeBytes(ByteBuffer src);

    // ---- many bytes: from and to streams and channels ----

    /** Writes {@code length} bytes to {@code out}, and blocks as long as that does. */
    void getBytes(int index, OutputStream out, int length) throws IOException;

    /**
     * Reads from {@code in} until {@code length} bytes came or the stream ends. If {@code in} throws, the bytes read before
     * are stored, but not counted.
     *
     * @return how many bytes came, -1 if the stream had ended already; of 0 bytes, -1 if the stream says that it has ended
     */
    int setBytes(int index, InputStream in, int length) throws IOException;

    /** Writes {@code length} bytes to {@code out}, and blocks as long as that does. */
    void readBytes(OutputStream out, int length) throws IOException;

    /**
     * Reads from {@code in} until {@code length} bytes came or the stream ends, and moves the writer index past them.
     *
     * @return how many bytes came, -1 if the stream had ended already; of 0 bytes, -1 if the stream says that it has ended
     */
    int writeBytes(InputStream in, int length) throws IOException;

    /**
     * Writes at most {@code length} bytes to {@code out} by one call.
     *
     * @return how many bytes {@code out} took, perhaps 0
     */
    int getBytes(int index, GatheringByteChannel out, int length) throws IOException;

    /**
     * Reads from {@code in} until {@code length} bytes came, it has none for now, or it ends.
     *
     * @return how many bytes came, perhaps 0; -1 if the channel had ended or was closed already
     */
    int setBytes(int index, ScatteringByteChannel in, int length) throws IOException;

    /**
     * Writes at most {@code length} bytes to {@code out} by one call, and moves the reader index past those it took.
     *
     * @return how many bytes {@code out} took, perhaps 0
     */
    int readBytes(GatheringByteChannel out, int length) throws IOException;

    /**
     * Reads from {@code in} until {@code length} bytes came, it has none for now, or it ends, and moves the writer index past
     * them.
     *
     * @return how many bytes came, perhaps 0; -1 if the channel had ended or was closed already
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
     * Writes {@code length} bytes of 0.
     *
     * @throws IllegalArgumentException if {@code length} is negative
     */
    void writeZero(int length);

    // ---- search ----

    /**
     * How many readable bytes come before the first {@code value}.
     *
     * @return a number relative to the reader index, -1 if {@code value} is not there
     */
    int bytesBefore(byte value);

    /** As {@link #bytesBefore(byte)}, for a byte that {@code indexFinder} accepts. */
    int bytesBefore(ChannelBufferIndexFinder indexFinder);

    /**
     * As {@link #bytesBefore(byte)}, within the next {@code length} readable bytes.
     *
     * @throws IndexOutOfBoundsException if fewer bytes are readable
     */
    int bytesBefore(int length, byte value);

    /** As {@link #bytesBefore(int, byte)}, for a byte that {@code indexFinder} accepts. */
    int bytesBefore(int length, ChannelBufferIndexFinder indexFinder);

    /**
     * How many of {@code length} bytes from {@code index} come before the first {@code value}.
     *
     * @return a number relative to {@code index}, -1 if {@code value} is not there
     */
    int bytesBefore(int index, int length, byte value);

    /** As {@link #bytesBefore(int, int, byte)}, for a byte that {@code indexFinder} accepts. */
    int bytesBefore(int index, int length, ChannelBufferIndexFinder indexFinder);

    /**
     * Finds a byte. With {@code fromIndex <= toIndex} searches upwards from {@code fromIndex} to {@code toIndex - 1}; else
     * downwards from {@code fromIndex - 1} to {@code toIndex}. What lies outside the capacity is left out.
     *
     * @return the absolute index of the first hit in that direction, -1 if there is none
     */
    int indexOf(int fromIndex, int toIndex, byte value);

    /** As {@link #indexOf(int, int, byte)}, for a byte that {@code indexFinder} accepts. */
    int indexOf(int fromIndex, int toIndex, ChannelBufferIndexFinder indexFinder);

    // ---- views and copies ----

    /** A view of the readable bytes, all readable and the whole capacity of the view. */
    ChannelBuffer slice();

    /** A view of {@code length} bytes from {@code index}, all readable and the whole capacity of the view. */
    ChannelBuffer slice(int index, int length);

    /** Takes {@code length} bytes as a {@link #slice(int, int) slice}. */
    ChannelBuffer readSlice(int length);

    /** A view of the whole buffer that starts with the same indices. The marks start at 0. */
    ChannelBuffer duplicate();

    /** A copy of the readable bytes, all readable. */
    ChannelBuffer copy();

    /** A copy of {@code length} bytes from {@code index}, all readable. */
    ChannelBuffer copy(int index, int length);

    /** The readable bytes as by {@link #toByteBuffer(int, int)}. */
    ByteBuffer toByteBuffer();

    /**
     * {@code length} bytes from {@code index} as what remains in a ByteBuffer of the same order. It shares the bytes unless
     * they lie in several components of a composite; its position need not be 0.
     */
    ByteBuffer toByteBuffer(int index, int length);

    /** The readable bytes as by {@link #toByteBuffers(int, int)}. */
    ByteBuffer[] toByteBuffers();

    /** {@code length} bytes from {@code index} as what remains in one ByteBuffer after the other, without a copy. */
    ByteBuffer[] toByteBuffers(int index, int length);

    // ---- memory ----

    /** The order of the bytes of a number. */
    ByteOrder order();

    /** Whether the bytes lie in direct memory. */
    boolean isDirect();

    /** The factory that makes buffers of the same kind of memory. */
    ChannelBufferFactory factory();

    /** Whether {@link #array()} and {@link #arrayOffset()} answer. */
    boolean hasArray();

    /**
     * The array that holds the bytes, which may be longer than this buffer.
     *
     * @throws UnsupportedOperationException if there is none, or it may not be written to
     */
    byte[] array();

    /**
     * The index in {@link #array()} of the byte with index 0.
     *
     * @throws UnsupportedOperationException if there is no array, or it may not be written to
     */
    int arrayOffset();

    // ---- content as a value ----

    /** Whether {@code other} is a buffer with the same readable bytes, whatever its kind, order and indices. */
    @Override
    boolean equals(Object other);

    /** A hash of the readable bytes alone: equal buffers of different kind, order or indices have the same. */
    @Override
    int hashCode();

    /** Compares the readable bytes from the front as unsigned numbers; a prefix comes before what it begins. */
    @Override
    int compareTo(ChannelBuffer other);

    /** The readable bytes as text; what is no text in {@code charset} becomes its replacement character. */
    String toString(Charset charset);

    /** Part of the buffer as text; what is no text in {@code charset} becomes its replacement character. */
    String toString(int index, int length, Charset charset);

    /** The kind of buffer and its indices, never its bytes. */
    @Override
    String toString();
}
