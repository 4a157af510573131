package org.freshet.microbench.buffer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;

/**
 * Unpooled Netty 4.2 buffers of each kind; the method called decides the byte order. All of them are left to the
 * collector.
 */
final class Netty4Buffers {
    private Netty4Buffers() {}

    /** Returns a buffer of zeros, all of them readable. */
    static ByteBuf make(BufferKind kind, int capacity) {
        ByteBuf buffer = switch (kind) {
            case HEAP -> Unpooled.buffer(capacity, capacity);
            case DIRECT -> Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(capacity));
            case DYNAMIC -> Unpooled.buffer(capacity);
            case COMPOSITE -> Unpooled.wrappedBuffer(parts(capacity, 4));
            case SLICED -> Unpooled.buffer(2 * capacity).slice(capacity / 2, capacity);
            case WRAPPED -> Unpooled.wrappedBuffer(ByteBuffer.allocate(capacity));
        };
        return buffer.setIndex(0, capacity);
    }

    static ByteBuf[] parts(int capacity, int count) {
        ByteBuf[] parts = new ByteBuf[count];
        for (int i = 0; i < count; i++) {
            parts[i] = make(BufferKind.HEAP, capacity / count);
        }
        return parts;
    }
}
