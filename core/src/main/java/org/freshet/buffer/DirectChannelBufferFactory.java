package org.freshet.buffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Makes buffers in direct memory. The JVM is slow to allocate direct memory, so small buffers are parts of a larger
 * chunk. Arrays and heap ByteBuffers are copied.
 *
 * <p>A chunk is used once and never recycled; the collector frees it when the last buffer cut from it is gone. So one
 * long-lived small buffer retains a whole chunk.
 *
 * <p>Any thread may use it; allocation is lock-free.
 */
public class DirectChannelBufferFactory extends AbstractChannelBufferFactory {
    /** Large enough that a chunk serves hundreds of messages. */
    private static final int DEFAULT_CHUNK_BYTES = 1 << 20;

    private static final DirectChannelBufferFactory BIG_ENDIAN = new DirectChannelBufferFactory(ByteOrder.BIG_ENDIAN);
    private static final DirectChannelBufferFactory LITTLE_ENDIAN =
            new DirectChannelBufferFactory(ByteOrder.LITTLE_ENDIAN);

    private final int chunkBytes;
    /** The unused rest of the current chunk, replaced with each allocation; its position and limit never move. */
    private final AtomicReference<ByteBuffer> rest = new AtomicReference<>(ByteBuffer.allocate(0));

    /** Creates a factory with chunks of 1 MiB whose default order is big endian. */
    public DirectChannelBufferFactory() {
        this(ByteOrder.BIG_ENDIAN);
    }

    /** Creates a factory with chunks of {@code preallocatedBufferCapacity} bytes whose default order is big endian. */
    public DirectChannelBufferFactory(int preallocatedBufferCapacity) {
        this(ByteOrder.BIG_ENDIAN, preallocatedBufferCapacity);
    }

    /** Creates a factory with chunks of 1 MiB. */
    public DirectChannelBufferFactory(ByteOrder defaultOrder) {
        this(defaultOrder, DEFAULT_CHUNK_BYTES);
    }

    /**
     * Creates a factory. It allocates its first chunk when the first buffer is requested.
     *
     * @param preallocatedBufferCapacity bytes per chunk; larger buffers get their own memory
     * @throws IllegalArgumentException if {@code preallocatedBufferCapacity} is not positive
     */
    public DirectChannelBufferFactory(ByteOrder defaultOrder, int preallocatedBufferCapacity) {
        super(defaultOrder);
        if (preallocatedBufferCapacity <= 0) {
            throw new IllegalArgumentException("preallocatedBufferCapacity <= 0: " + preallocatedBufferCapacity);
        }
        chunkBytes = preallocatedBufferCapacity;
    }

    /** Returns the shared factory whose default order is big endian. */
    public static ChannelBufferFactory getInstance() {
        return BIG_ENDIAN;
    }

    /** Returns the shared factory with {@code defaultOrder}. */
    public static ChannelBufferFactory getInstance(ByteOrder defaultOrder) {
        Objects.requireNonNull(defaultOrder, "defaultOrder");
        return defaultOrder == ByteOrder.BIG_ENDIAN ? BIG_ENDIAN : LITTLE_ENDIAN;
    }

    @Override
    public ChannelBuffer getBuffer(ByteOrder order, int capacity) {
        Objects.requireNonNull(order, "order");
        if (capacity < 0) {
            throw new IllegalArgumentException("capacity < 0: " + capacity);
        }
        if (capacity == 0) {
            return ChannelBuffers.EMPTY_BUFFER;
        }
        ByteBuffer memory = capacity > chunkBytes ? ByteBuffer.allocateDirect(capacity) : cut(capacity);
        return new ByteBufferBackedChannelBuffer(memory.order(order), 0, 0);
    }

    @Override
    public ChannelBuffer getBuffer(ByteOrder order, byte[] array, int offset, int length) {
        Bounds.check(offset, length, array.length);
        ChannelBuffer buffer = getBuffer(order, length);
        buffer.writeBytes(array, offset, length);
        return buffer;
    }

    /**
     * Shares the memory of a writable direct {@code buffer} and copies any other; {@code buffer} itself does not
     * change.
     */
    @Override
    public ChannelBuffer getBuffer(ByteBuffer buffer) {
        if (buffer.isDirect() && !buffer.isReadOnly()) {
            return ChannelBuffers.wrappedBuffer(buffer);
        }
        ChannelBuffer copy = getBuffer(buffer.order(), buffer.remaining());
        copy.writeBytes(buffer.duplicate());
        return copy;
    }

    private ByteBuffer cut(int capacity) {
        while (true) {
            ByteBuffer seen = rest.get();
            ByteBuffer chunk = capacity <= seen.capacity() ? seen : ByteBuffer.allocateDirect(chunkBytes);
            ByteBuffer left = chunk.slice(capacity, chunk.capacity() - capacity);
            if (rest.compareAndSet(seen, left)) {
                return chunk.slice(0, capacity);
            }
        }
    }
}
