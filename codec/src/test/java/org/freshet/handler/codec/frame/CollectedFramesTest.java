package org.freshet.handler.codec.frame;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.freshet.buffer.AbstractChannelBufferFactory;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.buffer.HeapChannelBufferFactory;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.protobuf.ProtobufVarint32FrameDecoder;
import org.freshet.testing.LendingMemory;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Frames of known length that are longer than a read. */
class CollectedFramesTest {
    private static final int FRAME_BYTES = 1 << 20;
    private static final int READ_BYTES = 64 * 1024;

    /** Relative to a frame's length: the frame, at most half of it before, a sixteenth before that, and so on. */
    private static final double MOST_ALLOCATED = 1.7;

    private final Random random = Seeds.random();
    private final byte[] body = new byte[FRAME_BYTES];
    private final CountingFactory factory = new CountingFactory();
    private final LendingMemory memory = new LendingMemory(READ_BYTES);

    @BeforeEach
    void fillBody() {
        random.nextBytes(body);
    }

    /** Counts the memory that a channel's handlers allocate. */
    private static final class CountingFactory extends AbstractChannelBufferFactory {
        long bytes;

        @Override
        public ChannelBuffer getBuffer(ByteOrder order, int capacity) {
            bytes += capacity;
            return HeapChannelBufferFactory.getInstance().getBuffer(order, capacity);
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

    /** @param prefix sent before the body, and stripped */
    private record Decoding(String name, FrameDecoder decoder, byte[] prefix) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Decoding> decoders() {
        int max = FRAME_BYTES + 10;
        return Stream.of(
                new Decoding(
                        "length field", new LengthFieldBasedFrameDecoder(max, 0, 4, 0, 4), new byte[] {0, 16, 0, 0}),
                new Decoding(
                        "length field and more that is stripped",
                        new LengthFieldBasedFrameDecoder(max, 0, 4, 3, 7),
                        new byte[] {0, 16, 0, 0, 1, 2, 3}),
                new Decoding("varint", new ProtobufVarint32FrameDecoder(), new byte[] {(byte) 0x80, (byte) 0x80, 0x40}),
                new Decoding("fixed length", new FixedLengthFrameDecoder(FRAME_BYTES), new byte[0]));
    }

    private ChannelBuffer wire(Decoding decoding) {
        return ChannelBuffers.wrappedBuffer(decoding.prefix(), body, decoding.prefix(), body, decoding.prefix());
    }

    @ParameterizedTest
    @MethodSource("decoders")
    void shouldCopyLentReadsDirectlyIntoTheFrame(Decoding decoding) {
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(factory, decoding.decoder());
        ChannelBuffer wire = wire(decoding);
        while (wire.readable()) {
            ChannelBuffer read = wire.readSlice(Math.min(READ_BYTES, wire.readableBytes()));
            assertTrue(memory.lend(embedder.getPipeline().getChannel(), read));
        }
        assertAreBodies(embedder);
        assertTrue(factory.bytes < 2 * MOST_ALLOCATED * FRAME_BYTES, "allocated: " + factory.bytes);
    }

    @ParameterizedTest
    @MethodSource("decoders")
    void shouldCollectReadsThatAreNotLent(Decoding decoding) {
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(factory, decoding.decoder());
        ChannelBuffer wire = wire(decoding);
        while (wire.readable()) {
            embedder.offer(wire.readBytes(Math.min(1 + random.nextInt(3000), wire.readableBytes())));
        }
        assertAreBodies(embedder);
        assertTrue(factory.bytes < 2 * MOST_ALLOCATED * FRAME_BYTES, "allocated: " + factory.bytes);
    }

    private void assertAreBodies(DecoderEmbedder<ChannelBuffer> embedder) {
        for (int i = 0; i < 2; i++) {
            ChannelBuffer frame = embedder.poll();
            assertEquals(0, frame.readerIndex());
            assertEquals(FRAME_BYTES, frame.readableBytes());
            assertArrayEquals(body, frame.array(), "the frame's array is the frame");
        }
        assertNull(embedder.poll());
    }

    @Test
    void shouldAllocateNoMoreThanAFewTimesTheBytesReceived() {
        FrameDecoder decoder = new LengthFieldBasedFrameDecoder(Integer.MAX_VALUE, 0, 4, 0, 4);
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(factory, decoder);
        int sent = 0;
        for (int i = 0; i < 1000; i++) {
            ChannelBuffer piece = ChannelBuffers.buffer(8);
            piece.writeInt(Integer.MAX_VALUE - 100);
            piece.writeInt(0);
            embedder.offer(piece);
            sent += 8;
            // eight times what had arrived at the last growth, and the buffers before: an eighth of the next one each
            assertTrue(factory.bytes <= Math.max(600, 10 * sent), factory.bytes + " after " + sent);
        }
        assertEquals(sent, decoder.undecodedBytes());
    }

    @Test
    void shouldDecodeTheFramesAfterALongFrameInItsLastRead() {
        List<ChannelBuffer> frames = new ArrayList<>();
        FrameDecoder decoder = new LengthFieldBasedFrameDecoder(5000, 0, 2, 0, 2);
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(factory, decoder);
        ChannelBuffer wire = ChannelBuffers.dynamicBuffer();
        for (int length : new int[] {4000, 0, 1, 2000, 3, 1500}) {
            wire.writeShort(length);
            wire.writeBytes(body, 0, length);
        }
        for (int size : new int[] {3000, 2000, 2000, wire.readableBytes() - 7100, 100}) {
            memory.lend(embedder.getPipeline().getChannel(), wire.readBytes(size));
            frames.addAll(Arrays.asList(embedder.pollAll(new ChannelBuffer[0])));
        }
        assertEquals(
                List.of(4000, 0, 1, 2000, 3, 1500),
                frames.stream().map(ChannelBuffer::readableBytes).toList());
        frames.forEach(frame -> assertEquals(ChannelBuffers.wrappedBuffer(body, 0, frame.readableBytes()), frame));
        assertEquals(0, decoder.undecodedBytes());
    }

    @Test
    void shouldCountTheRestOfAReadAsUndecoded() {
        List<Integer> undecoded = new ArrayList<>();
        LengthFieldBasedFrameDecoder decoder = new LengthFieldBasedFrameDecoder(5000, 0, 2, 0, 2);
        DecoderEmbedder<ChannelBuffer> embedder =
                new DecoderEmbedder<>(decoder, (ctx, e) -> undecoded.add(decoder.undecodedBytes()));
        undecoded.clear();
        ChannelBuffer first = ChannelBuffers.buffer(1000);
        first.writeShort(2000);
        first.writeZero(998);
        embedder.offer(first);
        embedder.offer(ChannelBuffers.wrappedBuffer(new byte[1002 + 5]));
        assertEquals(5, undecoded.get(0));
    }

    /** Looks at the bytes after a frame; not marked. */
    private static final class Looking extends LengthFieldBasedFrameDecoder {
        private int seen;

        Looking() {
            super(5000, 0, 2, 0, 2);
        }

        @Override
        protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
            seen = Math.max(seen, buffer.readableBytes());
            return super.decode(ctx, channel, buffer);
        }
    }

    @Test
    void shouldShowASubclassTheBytesAfterAFrame() {
        Looking decoder = new Looking();
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(decoder);
        ChannelBuffer first = ChannelBuffers.buffer(1000);
        first.writeShort(2000);
        first.writeZero(998);
        embedder.offer(first);
        embedder.offer(ChannelBuffers.wrappedBuffer(new byte[2000]));
        assertEquals(3000, decoder.seen);
        assertFalse(embedder.poll() == null);
    }
}
