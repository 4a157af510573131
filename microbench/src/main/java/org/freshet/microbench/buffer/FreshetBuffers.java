package org.freshet.microbench.buffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/** Freshet buffers of each kind. */
final class FreshetBuffers {
    private FreshetBuffers() {}

    /** Returns a buffer of zeros, all of them readable. */
    static ChannelBuffer make(BufferKind kind, ByteOrder order, int capacity) {
        ChannelBuffer buffer = switch (kind) {
            case HEAP -> ChannelBuffers.buffer(order, capacity);
            case DIRECT -> ChannelBuffers.directBuffer(order, capacity);
            case DYNAMIC -> ChannelBuffers.dynamicBuffer(order, capacity);
            case COMPOSITE -> ChannelBuffers.wrappedBuffer(parts(order, capacity, 4));
            case SLICED -> ChannelBuffers.buffer(order, 2 * capacity).slice(capacity / 2, capacity);
            case WRAPPED ->
                ChannelBuffers.wrappedBuffer(ByteBuffer.allocate(capacity).order(order));
        };
        buffer.setIndex(0, capacity);
        return buffer;
    }

    static ChannelBuffer[] parts(ByteOrder order, int capacity, int count) {
        ChannelBuffer[] parts = new ChannelBuffer[count];
        for (int i = 0; i < count; i++) {
            parts[i] = make(BufferKind.HEAP, order, capacity / count);
        }
        return parts;
    }
}
