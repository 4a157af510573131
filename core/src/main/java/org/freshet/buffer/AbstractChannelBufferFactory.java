package org.freshet.buffer;

import java.nio.ByteOrder;
import java.util.Objects;

/** Holds the default byte order and applies it where the caller passes none. */
public abstract class AbstractChannelBufferFactory implements ChannelBufferFactory {
    private final ByteOrder defaultOrder;

    /** Creates a factory whose default order is big endian. */
    protected AbstractChannelBufferFactory() {
        this(ByteOrder.BIG_ENDIAN);
    }

    /** Creates a factory with {@code defaultOrder}. */
    protected AbstractChannelBufferFactory(ByteOrder defaultOrder) {
        this.defaultOrder = Objects.requireNonNull(defaultOrder, "defaultOrder");
    }

    @Override
    public ChannelBuffer getBuffer(int capacity) {
        return getBuffer(defaultOrder, capacity);
    }

    @Override
    public ChannelBuffer getBuffer(byte[] array, int offset, int length) {
        return getBuffer(defaultOrder, array, offset, length);
    }

    @Override
    public ByteOrder getDefaultOrder() {
        return defaultOrder;
    }
}
