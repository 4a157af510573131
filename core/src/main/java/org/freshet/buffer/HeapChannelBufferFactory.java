package org.freshet.buffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/** Makes heap buffers. Arrays are wrapped, not copied. Stateless; any thread may use it. */
public class HeapChannelBufferFactory extends AbstractChannelBufferFactory {
    private static final HeapChannelBufferFactory BIG_ENDIAN = new HeapChannelBufferFactory(ByteOrder.BIG_ENDIAN);
    private static final HeapChannelBufferFactory LITTLE_ENDIAN = new HeapChannelBufferFactory(ByteOrder.LITTLE_ENDIAN);

    /** Creates a factory whose default order is big endian. */
    public HeapChannelBufferFactory() {}

    /** Creates a factory with {@code defaultOrder}. */
    public HeapChannelBufferFactory(ByteOrder defaultOrder) {
        super(defaultOrder);
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
        return ChannelBuffers.buffer(order, capacity);
    }

    @Override
    public ChannelBuffer getBuffer(ByteOrder order, byte[] array, int offset, int length) {
        return ChannelBuffers.wrappedBuffer(order, array, offset, length);
    }

    @Override
    public ChannelBuffer getBuffer(ByteBuffer buffer) {
        return buffer.hasArray() ? ChannelBuffers.wrappedBuffer(buffer) : ChannelBuffers.copiedBuffer(buffer);
    }
}
