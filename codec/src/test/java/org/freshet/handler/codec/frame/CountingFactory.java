package org.freshet.handler.codec.frame;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.freshet.buffer.AbstractChannelBufferFactory;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.HeapChannelBufferFactory;

/** Counts the buffers that a channel's handlers allocate. */
final class CountingFactory extends AbstractChannelBufferFactory {
    private final Set<byte[]> arrays = Collections.newSetFromMap(new IdentityHashMap<>());

    int buffers;
    long bytes;

    /** Returns whether the buffer's memory comes from this factory. */
    boolean made(ChannelBuffer buffer) {
        return arrays.contains(buffer.array());
    }

    @Override
    public ChannelBuffer getBuffer(ByteOrder order, int capacity) {
        buffers++;
        bytes += capacity;
        ChannelBuffer buffer = HeapChannelBufferFactory.getInstance().getBuffer(order, capacity);
        arrays.add(buffer.array());
        return buffer;
    }

    @Override
    public ChannelBuffer getBuffer(ByteOrder order, byte[] array, int offset, int length) {
        return HeapChannelBufferFactory.getInstance().getBuffer(order, array, offset, length);
    }

    @Override
    public ChannelBuffer getBuffer(ByteBuffer buffer) {
        return HeapChannelBufferFactory.getInstance().getBuffer(buffer);
    }
}
