package org.freshet.microbench.compare.server;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import org.freshet.buffer.AbstractChannelBufferFactory;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.buffer.HeapChannelBufferFactory;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/**
 * An echo that keeps received bytes in an array, and reuses it after they are sent. It shows how much recyclable
 * buffers could save; the library does not offer them. For a server with one worker, whose thread owns the arrays.
 */
@ChannelHandler.Sharable
final class RecyclingEcho extends SimpleChannelUpstreamHandler {
    private final Arrays arrays = new Arrays();

    ChannelPipeline pipeline() {
        return Channels.pipeline(this);
    }

    @Override
    public void channelOpen(ChannelHandlerContext context, ChannelStateEvent event) {
        event.getChannel().getConfig().setBufferFactory(arrays);
    }

    @Override
    public void messageReceived(ChannelHandlerContext context, MessageEvent event) {
        ChannelBuffer bytes = (ChannelBuffer) event.getMessage();
        event.getChannel().write(bytes).addListener(sent -> arrays.giveBack(bytes));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, ExceptionEvent event) {
        event.getChannel().close();
    }

    private static final class Arrays extends AbstractChannelBufferFactory {
        private static final int MIN_BYTES = 4096;
        private static final int MAX_SPARE = 64;

        private final ChannelBufferFactory others = HeapChannelBufferFactory.getInstance();

        /** Spare arrays; the length is two to the power of the index. */
        private final Deque<byte[]>[] spare = newStacks();

        @SuppressWarnings("unchecked")
        private static Deque<byte[]>[] newStacks() {
            Deque<byte[]>[] stacks = new Deque[Integer.SIZE];
            java.util.Arrays.setAll(stacks, i -> new ArrayDeque<>());
            return stacks;
        }

        @Override
        public ChannelBuffer getBuffer(ByteOrder order, int capacity) {
            if (capacity < MIN_BYTES || Integer.bitCount(capacity) != 1) {
                return others.getBuffer(order, capacity);
            }
            byte[] array = spare[Integer.numberOfTrailingZeros(capacity)].poll();
            ChannelBuffer buffer = ChannelBuffers.wrappedBuffer(order, array == null ? new byte[capacity] : array);
            buffer.clear();
            return buffer;
        }

        void giveBack(ChannelBuffer buffer) {
            int capacity = buffer.capacity();
            Deque<byte[]> stack = spare[Integer.numberOfTrailingZeros(capacity)];
            if (capacity >= MIN_BYTES && Integer.bitCount(capacity) == 1 && stack.size() < MAX_SPARE) {
                stack.push(buffer.array());
            }
        }

        @Override
        public ChannelBuffer getBuffer(ByteOrder order, byte[] array, int offset, int length) {
            return others.getBuffer(order, array, offset, length);
        }

        @Override
        public ChannelBuffer getBuffer(ByteBuffer buffer) {
            return others.getBuffer(buffer);
        }
    }
}
