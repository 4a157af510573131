package org.freshet.microbench.buffer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.buffer.ChannelBuffers;

/**
 * The source of the buffers of {@link BufferLifeBenchmark}. One thread makes them; the same one or another ends them.
 */
interface BufferSource {
    /** @param content written to the buffer; null for nothing */
    Object make(int size, byte[] content);

    void end(Object buffer);

    /** Buffers ended by the garbage collector. */
    record Garbage(ChannelBufferFactory factory) implements BufferSource {
        @Override
        public Object make(int size, byte[] content) {
            ChannelBuffer buffer = factory.getBuffer(size);
            if (content != null) {
                buffer.writeBytes(content);
            }
            return buffer;
        }

        @Override
        public void end(Object buffer) {
            // Left to the collector.
        }
    }

    /** Heap buffers over arrays of one size that may be returned. Others are left to the collector. */
    final class Recycling implements BufferSource {
        private static final int MAX_SPARE = 1024;

        private final Queue<byte[]> spare;
        private final boolean givesBack;

        Recycling(boolean givesBack, boolean fromOtherThread) {
            this.givesBack = givesBack;
            spare = fromOtherThread ? new ArrayBlockingQueue<>(MAX_SPARE) : new ArrayDeque<>();
        }

        @Override
        public Object make(int size, byte[] content) {
            byte[] array = spare.poll();
            ChannelBuffer buffer = ChannelBuffers.wrappedBuffer(array == null ? new byte[size] : array);
            buffer.clear();
            if (content != null) {
                buffer.writeBytes(content);
            }
            return buffer;
        }

        @Override
        public void end(Object buffer) {
            if (givesBack) {
                spare.offer(((ChannelBuffer) buffer).array());
            }
        }
    }

    /** Reference-counted buffers. */
    record Netty4(ByteBufAllocator from, boolean direct) implements BufferSource {
        @Override
        public Object make(int size, byte[] content) {
            ByteBuf buffer = direct ? from.directBuffer(size) : from.heapBuffer(size);
            if (content != null) {
                buffer.writeBytes(content);
            }
            return buffer;
        }

        @Override
        public void end(Object buffer) {
            ((ByteBuf) buffer).release();
        }
    }
}
