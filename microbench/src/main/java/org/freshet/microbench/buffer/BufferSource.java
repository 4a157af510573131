package org.freshet.microbench.buffer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.buffer.ChannelBuffers;

/** Where the buffers of {@link BufferLifeBenchmark} come from. One thread makes them; the same one or another ends them. */
interface BufferSource {
    /** @param content written to the buffer; null for nothing */
    Object make(int size, byte[] content);

    void end(Object buffer);

    /** Buffers that the garbage collector ends. */
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
            // The collector's.
        }
    }

    /** Heap buffers over arrays of one size that may be given back. What is not given back is the collector's. */
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

    /** Buffers that are counted. */
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
