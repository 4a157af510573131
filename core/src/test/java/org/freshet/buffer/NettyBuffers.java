package org.freshet.buffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jboss.netty.buffer.ByteBufferBackedChannelBuffer;
import org.jboss.netty.buffer.ChannelBuffer;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.buffer.CompositeChannelBuffer;
import org.jboss.netty.buffer.DirectChannelBufferFactory;
import org.jboss.netty.buffer.DuplicatedChannelBuffer;
import org.jboss.netty.buffer.ReadOnlyChannelBuffer;
import org.jboss.netty.buffer.SlicedChannelBuffer;
import org.jboss.netty.buffer.TruncatedChannelBuffer;

/** Netty 3's counterpart of each {@link BufferKind}, with the same bytes. */
final class NettyBuffers {
    private NettyBuffers() {}

    static ChannelBuffer make(BufferKind kind, ByteOrder order, byte[] bytes, Random random) {
        byte[] padded = new byte[bytes.length + 5];
        System.arraycopy(bytes, 0, padded, 3, bytes.length);
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 5);
        return switch (kind) {
            case HEAP, ORDERED_HEAP -> heap(order, bytes);
            case DIRECT, DIRECT_FROM_CHUNK, ORDERED_DIRECT ->
                filled(ChannelBuffers.directBuffer(order, bytes.length), bytes);
            case BYTE_BUFFER ->
                new ByteBufferBackedChannelBuffer(
                        ByteBuffer.wrap(padded, 3, bytes.length).slice().order(order));
            case READ_ONLY_BYTE_BUFFER ->
                ChannelBuffers.wrappedBuffer(
                        ByteBuffer.wrap(bytes.clone()).asReadOnlyBuffer().order(order));
            case DYNAMIC -> filled(ChannelBuffers.dynamicBuffer(order, bytes.length), bytes);
            case DYNAMIC_DIRECT ->
                filled(ChannelBuffers.dynamicBuffer(order, bytes.length, new DirectChannelBufferFactory(order)), bytes);
            case COMPOSITE -> composite(order, bytes, random);
            case ORDERED_COMPOSITE -> new DuplicatedChannelBuffer(composite(order, bytes, random));
            case SLICE, DUPLICATE_OF_SLICE, ORDERED_SLICE -> slice(kind, heap(order, padded), bytes.length);
            case SLICE_OF_COMPOSITE -> slice(kind, composite(order, padded, random), bytes.length);
            case TRUNCATED ->
                new TruncatedChannelBuffer(
                        filled(ChannelBuffers.directBuffer(order, longer.length), longer), bytes.length);
            case TRUNCATED_DYNAMIC ->
                new TruncatedChannelBuffer(
                        filled(ChannelBuffers.dynamicBuffer(order, longer.length), longer), bytes.length);
            case DUPLICATE -> new DuplicatedChannelBuffer(heap(order, bytes));
            case READ_ONLY -> new ReadOnlyChannelBuffer(heap(order, bytes));
            case READ_ONLY_COMPOSITE -> new ReadOnlyChannelBuffer(composite(order, bytes, random));
        };
    }

    static ChannelBuffer heap(ByteOrder order, byte[] bytes) {
        return ChannelBuffers.wrappedBuffer(order, bytes.clone());
    }

    private static ChannelBuffer filled(ChannelBuffer buffer, byte[] bytes) {
        buffer.writeBytes(bytes);
        return buffer;
    }

    private static ChannelBuffer slice(BufferKind kind, ChannelBuffer padded, int length) {
        ChannelBuffer slice = new SlicedChannelBuffer(padded, 3, length);
        return kind == BufferKind.DUPLICATE_OF_SLICE || kind == BufferKind.ORDERED_SLICE
                ? new DuplicatedChannelBuffer(slice)
                : slice;
    }

    private static ChannelBuffer composite(ByteOrder order, byte[] bytes, Random random) {
        List<ChannelBuffer> parts = new ArrayList<>();
        for (int from = 0; from < bytes.length; ) {
            int to = Math.min(bytes.length, from + 1 + random.nextInt(12));
            parts.add(heap(order, Arrays.copyOfRange(bytes, from, to)));
            from = to;
        }
        return new CompositeChannelBuffer(order, parts, random.nextBoolean());
    }
}
