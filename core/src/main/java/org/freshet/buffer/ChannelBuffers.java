package org.freshet.buffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.util.Objects;

/**
 * Makes buffers: new ones ({@code buffer}, {@code directBuffer}, {@code dynamicBuffer}), ones that share what they are
 * given ({@code wrappedBuffer}, {@code unmodifiableBuffer}) and ones that do not ({@code copiedBuffer}).
 *
 * <p>Where no order is named, numbers are big endian, except that a buffer made from a buffer keeps its order. What has no
 * bytes becomes {@link #EMPTY_BUFFER}, whatever its order. What is wrapped or copied is readable at once, and only what
 * was readable (or remaining) in a source counts; the indices of a source do not move.
 *
 * <p>Stateless; any thread.
 */
public final class ChannelBuffers {
    /** The order with the most significant byte first. */
    public static final ByteOrder BIG_ENDIAN = ByteOrder.BIG_ENDIAN;

    /** The order with the least significant byte first. */
    public static final ByteOrder LITTLE_ENDIAN = ByteOrder.LITTLE_ENDIAN;

    /** The buffer of capacity 0. Big endian, unchangeable, safe to share. */
    public static final ChannelBuffer EMPTY_BUFFER = new EmptyChannelBuffer();

    private static final int DYNAMIC_BYTES = 256;

    private ChannelBuffers() {}

    // ---- new and empty ----

    /** A new big endian heap buffer of fixed capacity. */
    public static ChannelBuffer buffer(int capacity) {
        return buffer(BIG_ENDIAN, capacity);
    }

    /**
     * A new heap buffer of fixed capacity.
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

    /** A new big endian buffer of fixed capacity in direct memory of its own. */
    public static ChannelBuffer directBuffer(int capacity) {
        return directBuffer(BIG_ENDIAN, capacity);
    }

    /**
     * A new buffer of fixed capacity in direct memory of its own; a {@link DirectChannelBufferFactory} makes many small ones
     * faster.
     *
     * @throws IllegalArgumentException if {@code capacity} is negative
     */
    public static ChannelBuffer directBuffer(ByteOrder order, int capacity) {
        Objects.requireNonNull(order, "order");
        if (capacity < 0) {
            throw new IllegalArgumentException("capacity < 0: " + capacity);
        }
        if (capacity == 0) {
            return EMPTY_BUFFER;
        }
        return new ByteBufferBackedChannelBuffer(
                ByteBuffer.allocateDirect(capacity).order(order), 0, 0);
    }

    // ---- new and growing ----

    /** A growing big endian heap buffer with room for 256 bytes. */
    public static ChannelBuffer dynamicBuffer() {
        return dynamicBuffer(BIG_ENDIAN, DYNAMIC_BYTES);
    }

    /** A growing buffer with room for 256 bytes, of the factory's order and memory. */
    public static ChannelBuffer dynamicBuffer(ChannelBufferFactory factory) {
        return dynamicBuffer(DYNAMIC_BYTES, factory);
    }

    /** A growing big endian heap buffer with room for {@code estimatedLength} bytes. */
    public static ChannelBuffer dynamicBuffer(int estimatedLength) {
        return dynamicBuffer(BIG_ENDIAN, estimatedLength);
    }

    /** A growing heap buffer with room for {@code estimatedLength} bytes. */
    public static ChannelBuffer dynamicBuffer(ByteOrder order, int estimatedLength) {
        return new DynamicChannelBuffer(order, estimatedLength);
    }

    /** A growing buffer with room for {@code estimatedLength} bytes, of the factory's order and memory. */
    public static ChannelBuffer dynamicBuffer(int estimatedLength, ChannelBufferFactory factory) {
        return dynamicBuffer(factory.getDefaultOrder(), estimatedLength, factory);
    }

    /**
     * A growing buffer with room for {@code estimatedLength} bytes, of the factory's memory.
     *
     * @throws IllegalArgumentException if {@code estimatedLength} is negative
     */
    public static ChannelBuffer dynamicBuffer(ByteOrder order, int estimatedLength, ChannelBufferFactory factory) {
        return new DynamicChannelBuffer(order, estimatedLength, factory);
    }

    // ---- of one array ----

    /** A big endian buffer that shares {@code array}. */
    public static ChannelBuffer wrappedBuffer(byte[] array) {
        return wrappedBuffer(BIG_ENDIAN, array);
    }

    /** A big endian heap buffer with a copy of {@code array}. */
    public static ChannelBuffer copiedBuffer(byte[] array) {
        return copiedBuffer(BIG_ENDIAN, array);
    }

    /** A buffer that shares {@code array}. */
    public static ChannelBuffer wrappedBuffer(ByteOrder order, byte[] array) {
        Objects.requireNonNull(order, "order");
        if (array.length == 0) {
            return EMPTY_BUFFER;
        }
        return order == BIG_ENDIAN ? new BigEndianHeapChannelBuffer(array) : new LittleEndianHeapChannelBuffer(array);
    }

    /** A heap buffer with a copy of {@code array}. */
    public static ChannelBuffer copiedBuffer(ByteOrder order, byte[] array) {
        return wrappedBuffer(order, array.clone());
    }

    /** A big endian buffer that shares part of {@code array}. */
    public static ChannelBuffer wrappedBuffer(byte[] array, int offset, int length) {
        return wrappedBuffer(BIG_ENDIAN, array, offset, length);
    }

    /** A big endian heap buffer with a copy of part of {@code array}. */
    public static ChannelBuffer copiedBuffer(byte[] array, int offset, int length) {
        return copiedBuffer(BIG_ENDIAN, array, offset, length);
    }

    /**
     * A buffer that shares part of {@code array}.
     *
     * @throws IndexOutOfBoundsException if the part does not lie within {@code array}
     */
    public static ChannelBuffer wrappedBuffer(ByteOrder order, byte[] array, int offset, int length) {
        return wrappedBuffer(order, array).slice(offset, length);
    }

    /**
     * A heap buffer with a copy of part of {@code array}.
     *
     * @throws IndexOutOfBoundsException if the part does not lie within {@code array}
     */
    public static ChannelBuffer copiedBuffer(ByteOrder order, byte[] array, int offset, int length) {
        Bounds.check(offset, length, array.length);
        byte[] copy = new byte[length];
        System.arraycopy(array, offset, copy, 0, length);
        return wrappedBuffer(order, copy);
    }

    // ---- of one buffer ----

    /** A slice of what is readable in {@code buffer}. */
    public static ChannelBuffer wrappedBuffer(ChannelBuffer buffer) {
        return buffer.readable() ? buffer.slice() : EMPTY_BUFFER;
    }

    /** A copy of what is readable in {@code buffer}, in its order and kind of memory. */
    public static ChannelBuffer copiedBuffer(ChannelBuffer buffer) {
        return buffer.readable() ? buffer.copy() : EMPTY_BUFFER;
    }

    /** A buffer that shares what remains in {@code buffer}, in its order. */
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

    /** A heap buffer with a copy of what remains in {@code buffer}, in its order; its position does not move. */
    public static ChannelBuffer copiedBuffer(ByteBuffer buffer) {
        byte[] copy = new byte[buffer.remaining()];
        buffer.get(buffer.position(), copy);
        return wrappedBuffer(buffer.order(), copy);
    }

    /** A read-only view of {@code buffer} with the indices it has now; the bytes are shared. */
    public static ChannelBuffer unmodifiableBuffer(ChannelBuffer buffer) {
        return buffer instanceof ReadOnlyChannelBuffer ? buffer.duplicate() : new ReadOnlyChannelBuffer(buffer);
    }

    // ---- of several, one after the other ----

    /** A big endian buffer that shares all {@code arrays}, one after the other; {@code null} counts as empty. */
    public static ChannelBuffer wrappedBuffer(byte[]... arrays) {
        return wrappedBuffer(BIG_ENDIAN, arrays);
    }

    /** A buffer that shares all {@code arrays}, one after the other; {@code null} counts as empty. */
    public static ChannelBuffer wrappedBuffer(ByteOrder order, byte[]... arrays) {
        return Concatenation.wrapped(order, arrays);
    }

    /** A big endian heap buffer with a copy of all {@code arrays}, one after the other. */
    public static ChannelBuffer copiedBuffer(byte[]... arrays) {
        return copiedBuffer(BIG_ENDIAN, arrays);
    }

    /** A heap buffer with a copy of all {@code arrays}, one after the other. */
    public static ChannelBuffer copiedBuffer(ByteOrder order, byte[]... arrays) {
        return Concatenation.copied(order, arrays);
    }

    /**
     * A buffer that shares what is readable in all {@code buffers}, one after the other; {@code null} counts as empty.
     *
     * @throws IllegalArgumentException if readable buffers differ in order
     */
    public static ChannelBuffer wrappedBuffer(ChannelBuffer... buffers) {
        return wrappedBuffer(false, buffers);
    }

    /**
     * A buffer that shares what is readable in all {@code buffers}, one after the other; {@code null} counts as empty.
     *
     * @param gathering whether {@code getBytes} to a {@code GatheringByteChannel} hands over the parts as they are instead of a copy in
     *     one piece; makes no difference to {@code Channel.write}
     * @throws IllegalArgumentException if readable buffers differ in order
     */
    public static ChannelBuffer wrappedBuffer(boolean gathering, ChannelBuffer... buffers) {
        return Concatenation.wrapped(gathering, buffers);
    }

    /**
     * A heap buffer with a copy of what is readable in all {@code buffers}, one after the other.
     *
     * @throws IllegalArgumentException if readable buffers differ in order
     */
    public static ChannelBuffer copiedBuffer(ChannelBuffer... buffers) {
        return Concatenation.copied(buffers);
    }

    /**
     * A buffer that shares what remains in all {@code buffers}, one after the other; {@code null} counts as empty.
     *
     * @throws IllegalArgumentException if buffers with remaining bytes differ in order
     */
    public static ChannelBuffer wrappedBuffer(ByteBuffer... buffers) {
        return wrappedBuffer(false, buffers);
    }

    /**
     * A buffer that shares what remains in all {@code buffers}, one after the other; {@code null} counts as empty.
     *
     * @param gathering whether {@code getBytes} to a {@code GatheringByteChannel} hands over the parts as they are instead of a copy in
     *     one piece; makes no difference to {@code Channel.write}
     * @throws IllegalArgumentException if buffers with remaining bytes differ in order
     */
    public static ChannelBuffer wrappedBuffer(boolean gathering, ByteBuffer... buffers) {
        return Concatenation.wrapped(gathering, buffers);
    }

    /**
     * A heap buffer with a copy of what remains in all {@code buffers}, one after the other.
     *
     * @throws IllegalArgumentException if buffers with remaining bytes differ in order
     */
    public static ChannelBuffer copiedBuffer(ByteBuffer... buffers) {
        return Concatenation.copied(buffers);
    }

    // ---- of text ----

    /** A big endian heap buffer with {@code text} in {@code charset}; what cannot be encoded is replaced. */
    public static ChannelBuffer copiedBuffer(CharSequence text, Charset charset) {
        return copiedBuffer(BIG_ENDIAN, text, charset);
    }

    /** A big endian heap buffer with part of {@code text} in {@code charset}; what cannot be encoded is replaced. */
    public static ChannelBuffer copiedBuffer(CharSequence text, int offset, int length, Charset charset) {
        return copiedBuffer(BIG_ENDIAN, text, offset, length, charset);
    }

    /**
     * A heap buffer with {@code text} in {@code charset}; what cannot be encoded is replaced. The order is the buffer's and
     * has no part in the encoding.
     */
    public static ChannelBuffer copiedBuffer(ByteOrder order, CharSequence text, Charset charset) {
        return TextCodec.encode(order, text, charset);
    }

    /**
     * A heap buffer with part of {@code text} in {@code charset}; what cannot be encoded is replaced.
     *
     * @throws IndexOutOfBoundsException if the part does not lie within {@code text}
     */
    public static ChannelBuffer copiedBuffer(
            ByteOrder order, CharSequence text, int offset, int length, Charset charset) {
        return TextCodec.encode(order, text, offset, length, charset);
    }

    /** A big endian heap buffer with {@code text} in {@code charset}; what cannot be encoded is replaced. */
    public static ChannelBuffer copiedBuffer(char[] text, Charset charset) {
        return copiedBuffer(BIG_ENDIAN, text, charset);
    }

    /** A big endian heap buffer with part of {@code text} in {@code charset}; what cannot be encoded is replaced. */
    public static ChannelBuffer copiedBuffer(char[] text, int offset, int length, Charset charset) {
        return copiedBuffer(BIG_ENDIAN, text, offset, length, charset);
    }

    /** A heap buffer with {@code text} in {@code charset}; what cannot be encoded is replaced. */
    public static ChannelBuffer copiedBuffer(ByteOrder order, char[] text, Charset charset) {
        return copiedBuffer(order, text, 0, text.length, charset);
    }

    /**
     * A heap buffer with part of {@code text} in {@code charset}; what cannot be encoded is replaced.
     *
     * @throws IndexOutOfBoundsException if the part does not lie within {@code text}
     */
    public static ChannelBuffer copiedBuffer(ByteOrder order, char[] text, int offset, int length, Charset charset) {
        return TextCodec.encode(order, text, offset, length, charset);
    }

    /**
     * Appends {@code text} with a byte for each character; one that is not ASCII becomes a question mark, never another
     * character. Short text, and text that doesn't begin with ASCII, is written without an object. If there is no room and {@code
     * buffer} does not grow, nothing is written.
     *
     * @return the number of bytes: {@code text.length()}, less one for each pair of surrogates
     * @throws IndexOutOfBoundsException if there is no room for {@code text.length()} bytes
     */
    public static int writeAscii(ChannelBuffer buffer, CharSequence text) {
        return TextWriter.writeAscii(buffer, text);
    }

    /**
     * Appends {@code text} in UTF-8; an unpaired surrogate becomes a question mark. Short text, and text that doesn't begin
     * with ASCII, is written without an object. If there is no room and {@code buffer} does not grow, nothing is written.
     *
     * @return the number of bytes, which is {@link #utf8Length}
     * @throws IndexOutOfBoundsException if there is no room
     */
    public static int writeUtf8(ChannelBuffer buffer, CharSequence text) {
        return TextWriter.writeUtf8(buffer, text);
    }

    /**
     * How many bytes {@link #writeUtf8} writes.
     *
     * @throws IllegalArgumentException if they are more than 2 GiB
     */
    public static int utf8Length(CharSequence text) {
        return TextWriter.utf8Length(text);
    }

    // ---- as hexadecimal digits ----

    /**
     * A big endian heap buffer with the bytes that {@code hexString} writes as two digits each, in either case.
     *
     * @throws IllegalArgumentException if a character is no hexadecimal digit or their number is odd
     */
    public static ChannelBuffer hexDump(String hexString) {
        return HexDump.parse(hexString);
    }

    /** The readable bytes as two lower-case hexadecimal digits each. */
    public static String hexDump(ChannelBuffer buffer) {
        return hexDump(buffer, buffer.readerIndex(), buffer.readableBytes());
    }

    /**
     * Part of {@code buffer} as two lower-case hexadecimal digits a byte.
     *
     * @throws IndexOutOfBoundsException if the part does not lie within the capacity
     */
    public static String hexDump(ChannelBuffer buffer, int fromIndex, int length) {
        return HexDump.format(buffer, fromIndex, length);
    }

    // ---- content ----

    /** Whether both have the same readable bytes; kind and order do not count. */
    public static boolean equals(ChannelBuffer a, ChannelBuffer b) {
        return ByteComparison.equal(a, b);
    }

    /** A hash of the readable bytes, independent of kind and order. */
    public static int hashCode(ChannelBuffer buffer) {
        return ByteComparison.hash(buffer);
    }

    /** Orders by the readable bytes as unsigned numbers, a prefix before what it begins; kind and order do not count. */
    public static int compare(ChannelBuffer a, ChannelBuffer b) {
        return ByteComparison.compare(a, b);
    }

    /** What {@link ChannelBuffer#indexOf(int, int, byte)} answers. */
    public static int indexOf(ChannelBuffer buffer, int fromIndex, int toIndex, byte value) {
        return ByteSearch.indexOf(buffer, fromIndex, toIndex, value);
    }

    /** What {@link ChannelBuffer#indexOf(int, int, ChannelBufferIndexFinder)} answers. */
    public static int indexOf(ChannelBuffer buffer, int fromIndex, int toIndex, ChannelBufferIndexFinder indexFinder) {
        return ByteSearch.indexOf(buffer, fromIndex, toIndex, indexFinder);
    }

    // ---- byte order ----

    /**
     * A view of the whole of {@code buffer}, with indices of its own that start where the buffer's are now, whose numbers have
     * the given order. The bytes are shared and stay where they are. Like a duplicate, the view of a growing buffer
     * grows with it, but does not make it grow.
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

    /** The two bytes of {@code value} in reverse. */
    public static short swapShort(short value) {
        return Short.reverseBytes(value);
    }

    /** The lower three bytes of {@code value} in reverse, as an unsigned number; the fourth is ignored. */
    public static int swapMedium(int value) {
        return Integer.reverseBytes(value) >>> 8;
    }

    /** The four bytes of {@code value} in reverse. */
    public static int swapInt(int value) {
        return Integer.reverseBytes(value);
    }

    /** The eight bytes of {@code value} in reverse. */
    public static long swapLong(long value) {
        return Long.reverseBytes(value);
    }
}
