package org.freshet.handler.codec.frame;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.handler.codec.frame.DigitDecoder.bytes;
import static org.freshet.handler.codec.frame.DigitDecoder.products;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Proxy;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.buffer.CompositeChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.internal.lending.Lending;
import org.freshet.testing.LendingMemory;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

/** Which buffers hold a decoder's unread bytes, and that these stay the same bytes. */
class UnreadBytesTest {
    private final CountingFactory factory = new CountingFactory();

    /** Returns a frame once there are as many bytes as it waits for. */
    private static class Waiting extends FrameDecoder {
        final List<ChannelBuffer> shown = new ArrayList<>();
        int frameBytes;

        Waiting(int frameBytes) {
            this.frameBytes = frameBytes;
        }

        @Override
        protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
            shown.add(buffer);
            return buffer.readableBytes() < frameBytes ? null : buffer.readBytes(frameBytes);
        }
    }

    private static ChannelBuffer zeros(int length) {
        return ChannelBuffers.wrappedBuffer(new byte[length]);
    }

    private Waiting received(int... reads) {
        Waiting decoder = new Waiting(Integer.MAX_VALUE);
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(factory, decoder);
        for (int length : reads) {
            embedder.offer(zeros(length));
        }
        return decoder;
    }

    // ---- several reads ----

    /** It is the cumulation; the frame is a copy. */
    @Test
    void shouldFillTheBufferThatWasAllocatedForAWholeFrame() {
        FixedLengthFrameDecoder decoder = new FixedLengthFrameDecoder(100_000, true);
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(factory, decoder);
        for (int i = 0; i < 99; i++) {
            embedder.offer(zeros(1000));
        }
        assertEquals(1, factory.buffers);
        assertTrue(embedder.offer(zeros(1000)));
    }

    @Test
    void shouldAllocateLittleForTheFirstBytesOfAFrameUnlessToldOtherwise() {
        assumeTrue(Lending.MODE != Lending.CHECK, "what is offered is lent");
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(factory, new FixedLengthFrameDecoder(1000));
        embedder.offer(zeros(1));
        embedder.offer(zeros(1));
        assertEquals(256, factory.bytes);
    }

    /** The field is visible to subclasses. */
    @Test
    void shouldLetASubclassTakeTheUnreadBytesAway() {
        FrameDecoder decoder = new FrameDecoder() {
            @Override
            protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) {
                cumulation = null;
                return buffer.readBytes(buffer.readableBytes());
            }
        };
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(decoder);
        embedder.offer(bytes("abc"));
        embedder.offer(bytes("d"));
        assertEquals(List.of("abc", "d"), products(embedder));
        assertEquals(0, decoder.undecodedBytes());
    }

    @Test
    void shouldCopyShortReadsTogetherAndJoinLongOnes() {
        assumeTrue(Lending.MODE != Lending.CHECK, "what is offered is lent");
        assertTrue(factory.made(received(1, 1023).cumulation));
        assertInstanceOf(CompositeChannelBuffer.class, received(1, 1024).cumulation);
    }

    @Test
    void shouldFillABufferToItsLastByteBeforeAnotherIsAllocated() {
        received(1, 1, 254);
        assertEquals(1, factory.buffers);
        received(1, 1, 255);
        assertEquals(1 + 2, factory.buffers);
    }

    @Test
    void shouldMakeRoomForAReadLongerThanTheUnreadBytes() {
        assertEquals(1 + 900, received(1, 900).cumulation.readableBytes());
    }

    @Test
    void shouldCopyReadsOfDifferentByteOrdersTogether() {
        Waiting decoder = new Waiting(2001);
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(factory, decoder);
        embedder.offer(bytes("a"));
        ChannelBuffer read = ChannelBuffers.buffer(ByteOrder.LITTLE_ENDIAN, 2000);
        read.writeZero(2000);
        embedder.offer(read);
        ChannelBuffer frame = embedder.poll();
        assertEquals('a', frame.getByte(0));
        assertEquals(2001, frame.readableBytes());
    }

    /** A read is continued alone only when the bytes before it are read. */
    @Test
    void shouldStayWithTheJoinedBytesUntilTheLastReadBegins() {
        assumeTrue(Lending.MODE != Lending.CHECK, "what is offered is lent");
        Waiting decoder = new Waiting(2000);
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(decoder);
        embedder.offer(bytes("ab"));
        decoder.frameBytes = 1;
        ChannelBuffer read = zeros(1998);
        decoder.shown.clear();
        embedder.offer(read);
        assertEquals(2000, embedder.size());
        assertInstanceOf(CompositeChannelBuffer.class, decoder.shown.get(1));
        assertSame(read, decoder.shown.get(2));
        assertEquals("ab", embedder.poll().toString(US_ASCII) + embedder.poll().toString(US_ASCII));
    }

    /** Frames of two length bytes and a body; now and then has the next read arrive while it decodes. */
    private static final class Impatient extends FrameDecoder {
        private final Random random;
        private final Queue<ChannelBuffer> reads;
        private final boolean slices;

        Impatient(Random random, Queue<ChannelBuffer> reads, boolean slices) {
            this.random = random;
            this.reads = reads;
            this.slices = slices;
        }

        @Override
        protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
            if (random.nextInt(4) == 0 && !reads.isEmpty()) {
                Channels.fireMessageReceived(channel, reads.remove());
            }
            int start = buffer.readerIndex();
            if (buffer.readableBytes() < 2 || buffer.readableBytes() < 2 + buffer.getShort(start)) {
                return null;
            }
            int length = buffer.readShort();
            return slices ? buffer.readSlice(length) : buffer.readBytes(length);
        }
    }

    @Test
    void shouldDecodeTheSameFramesHoweverTheyArrive() {
        Random random = Seeds.random();
        for (int round = 0; round < Seeds.rounds(200); round++) {
            List<ChannelBuffer> expected = new ArrayList<>();
            Queue<ChannelBuffer> reads = randomReads(random, expected);
            FrameDecoder decoder = new Impatient(random, reads, random.nextBoolean());
            decoder.setMaxCumulationBufferComponents(2 + random.nextInt(3));
            DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(decoder);
            while (!reads.isEmpty()) {
                embedder.offer(reads.remove());
            }
            embedder.finish();
            assertEquals(expected, List.of(embedder.pollAll(new ChannelBuffer[0])), "round " + round);
        }
    }

    private static Queue<ChannelBuffer> randomReads(Random random, List<ChannelBuffer> frames) {
        ChannelBuffer wire = ChannelBuffers.dynamicBuffer();
        for (int i = 0; i < 20; i++) {
            byte[] body = new byte[random.nextInt(random.nextBoolean() ? 20 : 9000)];
            random.nextBytes(body);
            frames.add(ChannelBuffers.wrappedBuffer(body));
            wire.writeShort(body.length);
            wire.writeBytes(body);
        }
        Queue<ChannelBuffer> reads = new ArrayDeque<>();
        while (wire.readable()) {
            int most = random.nextBoolean() ? 50 : 4000;
            reads.add(wire.readBytes(Math.min(1 + random.nextInt(most), wire.readableBytes())));
        }
        return reads;
    }

    // ---- what is kept between reads ----

    @Test
    void shouldReplaceABufferOfWhichLessThanAQuarterIsUnread() {
        assumeTrue(Lending.MODE != Lending.CHECK, "what is offered is lent");
        assertKept(true, 256, 1);
        assertKept(false, 257, 1);
        assertKept(true, 1000, 250);
        assertKept(false, 1000, 249);
    }

    private static void assertKept(boolean kept, int readBytes, int unreadBytes) {
        FrameDecoder decoder = new FrameDecoder() {
            @Override
            protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) {
                buffer.skipBytes(buffer.readableBytes() == readBytes ? readBytes - unreadBytes : 0);
                return null;
            }
        };
        ChannelBuffer read = zeros(readBytes);
        new DecoderEmbedder<>(decoder).offer(read);
        assertEquals(kept, decoder.cumulation == read, unreadBytes + " of " + readBytes);
        assertEquals(unreadBytes, decoder.undecodedBytes());
    }

    @Test
    void shouldCopyTheRestOfALentRead() {
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(factory, new LineBasedFrameDecoder(99));
        LendingMemory memory = new LendingMemory(100);
        for (String read : List.of("a\nb", "c", "d\ne")) {
            assertTrue(memory.lend(embedder.getPipeline().getChannel(), bytes(read)));
        }
        assertEquals(List.of("a", "bcd"), products(embedder));
        assertEquals(1, embedder.undecodedBytes());
    }

    @Test
    void shouldCopyAFrameThatIsAWholeLentRead() {
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(factory, new FixedLengthFrameDecoder(3));
        assertTrue(new LendingMemory(3).lend(embedder.getPipeline().getChannel(), bytes("abc")));
        assertEquals(List.of("abc"), products(embedder));
    }

    @Test
    void shouldCopyEachLentByteAboutTwiceAndReserveNothingForAFirstRead() {
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(factory, new LineBasedFrameDecoder(1_000_000));
        LendingMemory memory = new LendingMemory(2000);
        for (int i = 0; i < 100; i++) {
            memory.lend(embedder.getPipeline().getChannel(), zeros(2000));
            assertTrue(i > 0 || factory.bytes == 2000, "reserved for the first read: " + factory.bytes);
        }
        memory.lend(embedder.getPipeline().getChannel(), bytes("\n"));
        assertEquals(200_000, embedder.poll().readableBytes());
        assertTrue(factory.bytes <= 4 * 200_000, "allocated: " + factory.bytes);
    }

    @Test
    void shouldNotDecodeAgainForAnEmptyRead() {
        Waiting decoder = new Waiting(5);
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(decoder);
        embedder.offer(bytes("abc"));
        embedder.offer(ChannelBuffers.EMPTY_BUFFER);
        assertEquals(1, decoder.shown.size());
    }

    // ---- more bytes than an int counts ----

    /** A buffer that claims a length without having it. */
    private static ChannelBuffer claiming(int readableBytes) {
        return (ChannelBuffer) Proxy.newProxyInstance(
                UnreadBytesTest.class.getClassLoader(),
                new Class<?>[] {ChannelBuffer.class},
                (proxy, method, args) -> method.getName().equals("readableBytes")
                        ? readableBytes
                        : method.invoke(ChannelBuffers.EMPTY_BUFFER, args));
    }

    /** Returns what a decoder allocates for a byte after the unread ones. */
    private static int allocatedAfter(int unreadBytes) {
        int[] capacity = new int[1];
        FrameDecoder decoder = new Waiting(1) {
            @Override
            protected ChannelBuffer newCumulationBuffer(ChannelHandlerContext ctx, int minimumCapacity) {
                capacity[0] = minimumCapacity;
                throw new UnsupportedOperationException("too much for a test");
            }
        };
        decoder.cumulation = claiming(unreadBytes);
        assertThrows(UnsupportedOperationException.class, () -> decoder.appendToCumulation(bytes("x")));
        return capacity[0];
    }

    @Test
    void shouldDoubleTheMemoryUpToWhatABufferHolds() {
        assertEquals(2 * 1_000_000_000, allocatedAfter(1_000_000_000));
        assertEquals(Integer.MAX_VALUE - 1, allocatedAfter(Integer.MAX_VALUE / 2));
        assertEquals(Integer.MAX_VALUE, allocatedAfter(Integer.MAX_VALUE / 2 + 1));
        assertEquals(Integer.MAX_VALUE, allocatedAfter(Integer.MAX_VALUE - 1));
    }

    @Test
    void shouldRefuseMoreUnreadBytesThanABufferHolds() {
        FrameDecoder decoder = new Waiting(1);
        decoder.cumulation = claiming(Integer.MAX_VALUE);
        IllegalStateException e =
                assertThrows(IllegalStateException.class, () -> decoder.appendToCumulation(bytes("x")));
        assertEquals("unread bytes > 2147483647: 2147483648", e.getMessage());
    }

    @Test
    void shouldAllocateInTheOrderOfTheChannelWhenNothingIsUnread() {
        Waiting decoder = new Waiting(1);
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(factory, decoder);
        ChannelBuffer buffer =
                decoder.newCumulationBuffer(embedder.getPipeline().getContext(decoder), 10);
        assertEquals(256, buffer.capacity());
        assertSame(factory.getDefaultOrder(), buffer.order());
    }

    // ---- frames made from part of a buffer ----

    @Test
    void shouldShareAWholeBufferAndCopyAnythingLess() {
        FrameDecoder decoder = new Waiting(1);
        ChannelBuffer direct = ChannelBuffers.directBuffer(4);
        direct.writeZero(4);
        decoder.extractFrame(direct, 0, 4).setByte(0, 1);
        assertEquals(1, direct.getByte(0));
        decoder.extractFrame(direct, 0, 3).setByte(0, 2);
        assertEquals(1, direct.getByte(0));

        ChannelBuffer part = ChannelBuffers.wrappedBuffer(new byte[8], 0, 4);
        ChannelBuffer composite = ChannelBuffers.wrappedBuffer(zeros(2), zeros(2));
        for (ChannelBuffer buffer : List.of(part, composite)) {
            ChannelBuffer frame = decoder.extractFrame(buffer, 0, 4);
            assertNotSame(buffer, frame);
            assertEquals(4, frame.array().length, "the frame's array is the frame");
            frame.setByte(0, 1);
            assertEquals(0, buffer.getByte(0));
        }
    }
}
