package org.freshet.buffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.util.Objects;

/**
 * Makes buffers: new ones ({@code buffer}, {@code directBuffer}, {@code dynamicBuffer}), ones that share their input
 * ({@code wrappedBuffer}, {@code unmodifiableBuffer}) and copies ({@code copiedBuffer}).
 *
 * <p>The default order is big endian, but a buffer made from a buffer keeps its order. An empty input gives
 * {@link #EMPTY_BUFFER}, whatever its order. Only the readable (or remaining) bytes of a source are wrapped or copied,
 * and all of them are readable in the result. The indices of a source do not move.
 *
 * <p>Stateless; any thread may call it.
 */
public final class ChannelBuffers {
    /** The order with the most significant byte first. */
    public static final ByteOrder BIG_ENDIAN = ByteOrder.BIG_ENDIAN;

    /** The order with the least significant byte first. */
    public static final ByteOrder LITTLE_ENDIAN = ByteOrder.LITTLE_ENDIAN;

    /** The buffer of capacity 0. Big endian, immutable, safe to share. */
    public static final ChannelBuffer EMPTY_BUFFER = new EmptyChannelBuffer();

    private static final int DYNAMIC_BYTES = 256;

    private ChannelBuffers() {}

    // ---- new and empty ----

    /** Creates a big endian heap buffer of fixed capacity. */
    public static ChannelBuffer buffer(int capacity) {
        return buffer(BIG_ENDIAN, capacity);
    }

    /**
     * Creates a heap buffer of fixed capacity.
     *
     * @throws IllegalArgumentException if {@code capacity} is negative
     */
    public static ChannelBuffer buffer(ByteOrder order, int capacity) {
        Objects.requireNonNull(order, "order");
        if (capacity == 0) {
            return EMPTY_BUFFER;
        }
        return order == BIG_ENDIAN
                ? new BigEndianHeapChannelBuffer(capacity)
                : new LittleEndianHeapChannelBuffer(capacity);
    }

    /** Creates a big endian buffer of fixed capacity in its own direct memory. */
    public static ChannelBuffer directBuffer(int capacity) {
        return directBuffer(BIG_ENDIAN, capacity);
    }

    /**
     * Creates a buffer of fixed capacity in its own direct memory. For many small ones, a
     * {@link DirectChannelBufferFactory} is faster.
     *
     * @throws IllegalArgumentException if {@code capacity} is negative
     */
    public static ChannelBuffer directBuffer(ByteOrder order, int capacity) {
        Objects.requireNonNull(order, "order");
        if (capacity == 0) {
            return EMPTY_BUFFER;
        }
        return new ByteBufferBackedChannelBuffer(
                ByteBuffer.allocateDirect(capacity).order(order), 0, 0);
    }

    // ---- new and growing ----

    /** Creates a growing big endian heap buffer with space for 256 bytes. */
    public static ChannelBuffer dynamicBuffer() {
        return dynamicBuffer(BIG_ENDIAN, DYNAMIC_BYTES);
    }

    /** Creates a growing buffer with space for 256 bytes, in the factory's order and memory. */
    public static ChannelBuffer dynamicBuffer(ChannelBufferFactory factory) {
        return dynamicBuffer(DYNAMIC_BYTES, factory);
    }

    /** Creates a growing big endian heap buffer with space for {@code estimatedLength} bytes. */
    public static ChannelBuffer dynamicBuffer(int estimatedLength) {
        return dynamicBuffer(BIG_ENDIAN, estimatedLength);
    }

    /** Creates a growing heap buffer with space for {@code estimatedLength} bytes. */
    public static ChannelBuffer dynamicBuffer(ByteOrder order, int estimatedLength) {
        return new DynamicChannelBuffer(order, estimatedLength);
    }

    /** Creates a growing buffer with space for {@code estimatedLength} bytes, in the factory's order and memory. */
    public static ChannelBuffer dynamicBuffer(int estimatedLength, ChannelBufferFactory factory) {
        return dynamicBuffer(factory.getDefaultOrder(), estimatedLength, factory);
    }

    /**
     * Creates a growing buffer with space for {@code estimatedLength} bytes, in the factory's memory.
     *
     * @throws IllegalArgumentException if {@code estimatedLength} is negative
     */
    public static ChannelBuffer dynamicBuffer(ByteOrder order, int estimatedLength, ChannelBufferFactory factory) {
        return new DynamicChannelBuffer(order, estimatedLength, factory);
    }

    // ---- of one array ----

    /** Returns a big endian buffer that shares {@code array}. */
    public static ChannelBuffer wrappedBuffer(byte[] array) {
        return wrappedBuffer(BIG_ENDIAN, array);
    }

    /** Returns a big endian heap buffer with a copy of {@code array}. */
    public static ChannelBuffer copiedBuffer(byte[] array) {
        return copiedBuffer(BIG_ENDIAN, array);
    }

    /** Returns a buffer that shares {@code array}. */
    public static ChannelBuffer wrappedBuffer(ByteOrder order, byte[] array) {
        Objects.requireNonNull(order, "order");
        if (array.length == 0) {
            return EMPTY_BUFFER;
        }
        return order == BIG_ENDIAN ? new BigEndianHeapChannelBuffer(array) : new LittleEndianHeapChannelBuffer(array);
    }

    /** Returns a heap buffer with a copy of {@code array}. */
    public static ChannelBuffer copiedBuffer(ByteOrder order, byte[] array) {
        return wrappedBuffer(order, array.clone());
    }

    /** Returns a big endian buffer that shares part of {@code array}. */
    public static ChannelBuffer wrappedBuffer(byte[] array, int offset, int length) {
        return wrappedBuffer(BIG_ENDIAN, array, offset, length);
    }

    /** Returns a big endian heap buffer with a copy of part of {@code array}. */
    public static ChannelBuffer copiedBuffer(byte[] array, int offset, int length) {
        return copiedBuffer(BIG_ENDIAN, array, offset, length);
    }

    /**
     * Returns a buffer that shares part of {@code array}.
     *
     * @throws IndexOutOfBoundsException if the part is not within {@code array}
     */
    public static ChannelBuffer wrappedBuffer(ByteOrder order, byte[] array, int offset, int length) {
        return wrappedBuffer(order, array).slice(offset, length);
    }

    /**
     * Returns a heap buffer with a copy of part of {@code array}.
     *
     * @throws IndexOutOfBoundsException if the part is not within {@code array}
     */
    public static ChannelBuffer copiedBuffer(ByteOrder order, byte[] array, int offset, int length) {
        Bounds.check(offset, length, array.length);
        byte[] copy = new byte[length];
        System.arraycopy(array, offset, copy, 0, length);
        return wrappedBuffer(order, copy);
    }

    // ---- of one buffer ----

    /** Returns a slice of the readable bytes of {@code buffer}. */
    public static ChannelBuffer wrappedBuffer(ChannelBuffer buffer) {
        return buffer.readable() ? buffer.slice() : EMPTY_BUFFER;
    }

    /** Returns a copy of the readable bytes of {@code buffer}, in its order and kind of memory. */
    public static ChannelBuffer copiedBuffer(ChannelBuffer buffer) {
        return buffer.readable() ? buffer.copy() : EMPTY_BUFFER;
    }

    /** Returns a buffer that shares the remaining bytes of {@code buffer}, in its order. */
    public static ChannelBuffer wrappedBuffer(ByteBuffer buffer) {
        if (!buffer.hasRemaining()) {
            return EMPTY_BUFFER;
        }
        if (!buffer.hasArray()) {
            return new ByteBufferBackedChannelBuffer(buffer);
        }
        int offset = buffer.arrayOffset() + buffer.position();
        return wrappedBuffer(buffer.order(), buffer.array(), offset, buffer.remaining());
    }

    /**
     * Returns a heap buffer with a copy of the remaining bytes of {@code buffer}, in its order; its position does not
     * move.
     */
    public static ChannelBuffer copiedBuffer(ByteBuffer buffer) {
        byte[] copy = new byte[buffer.remaining()];
        buffer.get(buffer.position(), copy);
        return wrappedBuffer(buffer.order(), copy);
    }

    /** Returns a read-only view of {@code buffer} that starts with its current indices; the bytes are shared. */
    public static ChannelBuffer unmodifiableBuffer(ChannelBuffer buffer) {
        return buffer instanceof ReadOnlyChannelBuffer ? buffer.duplicate() : new ReadOnlyChannelBuffer(buffer);
    }

    // ---- of several, concatenated ----

    /** Returns a big endian buffer that shares the concatenation of {@code arrays}; {@code null} counts as empty. */
    public static ChannelBuffer wrappedBuffer(byte[]... arrays) {
        return wrappedBuffer(BIG_ENDIAN, arrays);
    }

    /** Returns a buffer that shares the concatenation of {@code arrays}; {@code null} counts as empty. */
    public static ChannelBuffer wrappedBuffer(ByteOrder order, byte[]... arrays) {
        return Concatenation.wrapped(order, arrays);
    }

    /** Returns a big endian heap buffer with a copy of all {@code arrays}, concatenated. */
    public static ChannelBuffer copiedBuffer(byte[]... arrays) {
        return copiedBuffer(BIG_ENDIAN, arrays);
    }

    /** Returns a heap buffer with a copy of all {@code arrays}, concatenated. */
    public static ChannelBuffer copiedBuffer(ByteOrder order, byte[]... arrays) {
        return Concatenation.copied(order, arrays);
    }

    /**
     * Returns a buffer that shares the readable bytes of all {@code buffers}, concatenated; {@code null} counts as
     * empty.
     *
     * @throws IllegalArgumentException if readable buffers differ in order
     */
    public static ChannelBuffer wrappedBuffer(ChannelBuffer... buffers) {
        return wrappedBuffer(false, buffers);
    }

    /**
     * Returns a buffer that shares the readable bytes of all {@code buffers}, concatenated; {@code null} counts as
     * empty.
     *
     * @param gathering whether {@code getBytes} to a {@code GatheringByteChannel} passes the parts on separately
     *     instead of as one copy; makes no difference to {@code Channel.write}
     * @throws IllegalArgumentException if readable buffers differ in order
     */
    public static ChannelBuffer wrappedBuffer(boolean gathering, ChannelBuffer... buffers) {
        return Concatenation.wrapped(gathering, buffers);
    }

    /**
     * Returns a heap buffer with a copy of the readable bytes of all {@code buffers}, concatenated.
     *
     * @throws IllegalArgumentException if readable buffers differ in order
     */
    public static ChannelBuffer copiedBuffer(ChannelBuffer... buffers) {
        return Concatenation.copied(buffers);
    }

    /**
     * Returns a buffer that shares the remaining bytes of all {@code buffers}, concatenated; {@code null} counts as
     * empty.
     *
     * @throws IllegalArgumentException if buffers with remaining bytes differ in order
     */
    public static ChannelBuffer wrappedBuffer(ByteBuffer... buffers) {
        return wrappedBuffer(false, buffers);
    }

    /**
     * Returns a buffer that shares the remaining bytes of all {@code buffers}, concatenated; {@code null} counts as
     * empty.
     *
     * @param gathering whether {@code getBytes} to a {@code GatheringByteChannel} passes the parts on separately
     *     instead of as one copy; makes no difference to {@code Channel.write}
     * @throws IllegalArgumentException if buffers with remaining bytes differ in order
     */
    public static ChannelBuffer wrappedBuffer(boolean gathering, ByteBuffer... buffers) {
        return Concatenation.wrapped(gathering, buffers);
    }

    /**
     * Returns a heap buffer with a copy of the remaining bytes of all {@code buffers}, concatenated.
     *
     * @throws IllegalArgumentException if buffers with remaining bytes differ in order
     */
    public static ChannelBuffer copiedBuffer(ByteBuffer... buffers) {
        return Concatenation.copied(buffers);
    }

    // ---- of text ----

    /** Encodes {@code text} into a big endian heap buffer; unmappable characters are replaced. */
    public static ChannelBuffer copiedBuffer(CharSequence text, Charset charset) {
        return copiedBuffer(BIG_ENDIAN, text, charset);
    }

    /** Encodes part of {@code text} into a big endian heap buffer; unmappable characters are replaced. */
    public static ChannelBuffer copiedBuffer(CharSequence text, int offset, int length, Charset charset) {
        return copiedBuffer(BIG_ENDIAN, text, offset, length, charset);
    }

    /**
     * Encodes {@code text} into a heap buffer; unmappable characters are replaced. {@code order} is the buffer's order
     * and does not affect the encoding.
     */
    public static ChannelBuffer copiedBuffer(ByteOrder order, CharSequence text, Charset charset) {
        return TextCodec.encode(order, text, charset);
    }

    /**
     * Encodes part of {@code text} into a heap buffer; unmappable characters are replaced.
     *
     * @throws IndexOutOfBoundsException if the part is not within {@code text}
     */
    public static ChannelBuffer copiedBuffer(
            ByteOrder order, CharSequence text, int offset, int length, Charset charset) {
        return TextCodec.encode(order, text, offset, length, charset);
    }

    /** Encodes {@code text} into a big endian heap buffer; unmappable characters are replaced. */
    public static ChannelBuffer copiedBuffer(char[] text, Charset charset) {
        return copiedBuffer(BIG_ENDIAN, text, charset);
    }

    /** Encodes part of {@code text} into a big endian heap buffer; unmappable characters are replaced. */
    public static ChannelBuffer copiedBuffer(char[] text, int offset, int length, Charset charset) {
        return copiedBuffer(BIG_ENDIAN, text, offset, length, charset);
    }

    /** Encodes {@code text} into a heap buffer; unmappable characters are replaced. */
    public static ChannelBuffer copiedBuffer(ByteOrder order, char[] text, Charset charset) {
        return copiedBuffer(order, text, 0, text.length, charset);
    }

    /**
     * Encodes part of {@code text} into a heap buffer; unmappable characters are replaced.
     *
     * @throws IndexOutOfBoundsException if the part is not within {@code text}
     */
    public static ChannelBuffer copiedBuffer(ByteOrder order, char[] text, int offset, int length, Charset charset) {
        return TextCodec.encode(order, text, offset, length, charset);
    }

    /**
     * Appends {@code text} as one byte per character. A non-ASCII character becomes a question mark, never another
     * character. Short text, and text that doesn't begin with ASCII, is written without allocating. If there is not
     * enough space and {@code buffer} cannot grow, nothing is written.
     *
     * @return the number of bytes: {@code text.length()}, less one for each surrogate pair
     * @throws IndexOutOfBoundsException if there is no space for {@code text.length()} bytes
     */
    public static int writeAscii(ChannelBuffer buffer, CharSequence text) {
        return TextWriter.writeAscii(buffer, text);
    }

    /**
     * Appends {@code text} in UTF-8; an unpaired surrogate becomes a question mark. Short text, and text that doesn't
     * begin with ASCII, is written without allocating. If there is not enough space and {@code buffer} cannot grow,
     * nothing is written.
     *
     * @return the number of bytes, equal to {@link #utf8Length}
     * @throws IndexOutOfBoundsException if there is not enough space
     */
    public static int writeUtf8(ChannelBuffer buffer, CharSequence text) {
        return TextWriter.writeUtf8(buffer, text);
    }

    /**
     * Returns how many bytes {@link #writeUtf8} would write.
     *
     * @throws IllegalArgumentException if that exceeds 2 GiB
     */
    public static int utf8Length(CharSequence text) {
        return TextWriter.utf8Length(text);
    }

    // ---- as hexadecimal digits ----

    /**
     * Parses two hexadecimal digits per byte, in either case, into a big endian heap buffer.
     *
     * @throws IllegalArgumentException if a character is not a hexadecimal digit or the number of digits is odd
     */
    public static ChannelBuffer hexDump(String hexString) {
        return HexDump.parse(hexString);
    }

    /** Formats the readable bytes as two lower-case hexadecimal digits each. */
    public static String hexDump(ChannelBuffer buffer) {
        return hexDump(buffer, buffer.readerIndex(), buffer.readableBytes());
    }

    /**
     * Formats part of {@code buffer} as two lower-case hexadecimal digits per byte.
     *
     * @throws IndexOutOfBoundsException if the part is not within the capacity
     */
    public static String hexDump(ChannelBuffer buffer, int fromIndex, int length) {
        return HexDump.format(buffer, fromIndex, length);
    }

    // ---- content ----

    /** Returns whether both have the same readable bytes, regardless of kind and order. */
    public static boolean equals(ChannelBuffer a, ChannelBuffer b) {
        return ByteComparison.equal(a, b);
    }

    /** Hashes the readable bytes, regardless of kind and order. */
    public static int hashCode(ChannelBuffer buffer) {
        return ByteComparison.hash(buffer);
    }

    /**
     * Compares the readable bytes as unsigned numbers, regardless of kind and order; a prefix comes before the longer
     * buffer.
     */
    public static int compare(ChannelBuffer a, ChannelBuffer b) {
        return ByteComparison.compare(a, b);
    }

    /** Same as {@link ChannelBuffer#indexOf(int, int, byte)}. */
    public static int indexOf(ChannelBuffer buffer, int fromIndex, int toIndex, byte value) {
        return ByteSearch.indexOf(buffer, fromIndex, toIndex, value);
    }

    /** Same as {@link ChannelBuffer#indexOf(int, int, ChannelBufferIndexFinder)}. */
    public static int indexOf(ChannelBuffer buffer, int fromIndex, int toIndex, ChannelBufferIndexFinder indexFinder) {
        return ByteSearch.indexOf(buffer, fromIndex, toIndex, indexFinder);
    }

    // ---- byte order ----

    /**
     * Returns a view of the whole of {@code buffer} with another byte order for numbers. It has its own indices, which
     * start at the buffer's current ones. The bytes are shared and stay where they are. Like a duplicate, the view of a
     * growing buffer grows with it, but does not make it grow.
     */
    public static ChannelBuffer ordered(ChannelBuffer buffer, ByteOrder order) {
        Objects.requireNonNull(order, "order");
        if (buffer.order() == order || buffer instanceof EmptyChannelBuffer) {
            return buffer.duplicate();
        }
        if (buffer instanceof HeapChannelBuffer heap) {
            ChannelBuffer view = order == BIG_ENDIAN
                    ? new BigEndianHeapChannelBuffer(heap.array())
                    : new LittleEndianHeapChannelBuffer(heap.array());
            view.setIndex(heap.readerIndex(), heap.writerIndex());
            return view;
        }
        if (buffer instanceof ByteBufferBackedChannelBuffer backed) {
            return backed.ordered(order);
        }
        return new OrderedChannelBuffer(buffer, order);
    }

    /** Reverses the two bytes of {@code value}. */
    public static short swapShort(short value) {
        return Short.reverseBytes(value);
    }

    /**
     * Reverses the lower three bytes of {@code value} and returns them as an unsigned number; the fourth byte is
     * ignored.
     */
    public static int swapMedium(int value) {
        return Integer.reverseBytes(value) >>> 8;
    }

    /** Reverses the four bytes of {@code value}. */
    public static int swapInt(int value) {
        return Integer.reverseBytes(value);
    }

    /** Reverses the eight bytes of {@code value}. */
    public static long swapLong(long value) {
        return Long.reverseBytes(value);
    }
}
