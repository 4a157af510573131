package org.freshet.handler.codec.frame;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.protobuf.ProtobufVarint32FrameDecoder;
import org.freshet.internal.lending.Lending;
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
            assertTrue(factory.made(frame), "the frame is the buffer in which it was collected");
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

    // ---- which buffers are used ----

    private static ChannelBuffer announced(int announcedBytes, int sentBytes) {
        ChannelBuffer beginning = ChannelBuffers.buffer(sentBytes);
        beginning.writeShort(announcedBytes - 2);
        beginning.writeZero(sentBytes - 2);
        return beginning;
    }

    private DecoderEmbedder<ChannelBuffer> stripping(int strippedBytes) {
        return new DecoderEmbedder<>(factory, new LengthFieldBasedFrameDecoder(0xFFFF, 0, 2, 0, strippedBytes));
    }

    @Test
    void shouldCollectAShortLentFrameInOneBuffer() {
        for (int frameBytes : new int[] {300, 1023, 1024}) {
            factory.buffers = 0;
            DecoderEmbedder<ChannelBuffer> embedder = stripping(2);
            memory.lend(embedder.getPipeline().getChannel(), announced(frameBytes, frameBytes - 10));
            memory.lend(embedder.getPipeline().getChannel(), ChannelBuffers.wrappedBuffer(new byte[10]));
            assertEquals(ChannelBuffers.wrappedBuffer(new byte[frameBytes - 2]), embedder.poll());
            assertEquals(frameBytes < 1024 ? 1 : 2, factory.buffers, "for a frame of " + frameBytes);
        }
    }

    @Test
    void shouldNotReserveMoreThanTheFirstReadUntilAnotherComes() {
        DecoderEmbedder<ChannelBuffer> embedder = stripping(0);
        embedder.offer(announced(60_000, 1000));
        assertEquals(1000, factory.bytes);
        assertEquals(1, factory.buffers, "there is nothing to strip");
    }

    @Test
    void shouldReserveTheWholeFrameIfThatIsLessThanSixteenTimesTheFirstRead() {
        stripping(0).offer(announced(16_000, 1000));
        assertEquals(1000, factory.bytes);
        stripping(0).offer(announced(15_999, 1000));
        assertEquals(1000 + 15_999, factory.bytes);
    }

    @Test
    void shouldStripMoreThanTheFirstReadHolds() {
        DecoderEmbedder<ChannelBuffer> embedder = stripping(600);
        ChannelBuffer wire = ChannelBuffers.buffer(20_000);
        wire.writeShort(20_000 - 2);
        wire.writeBytes(body, 0, 20_000 - 2);
        ChannelBuffer expected = wire.copy(600, 20_000 - 600);
        for (int size : new int[] {10, 90, 500, 19_400}) {
            memory.lend(embedder.getPipeline().getChannel(), wire.readBytes(size));
        }
        assertEquals(expected, embedder.poll());
    }

    @Test
    void shouldReportALongFrameShorterThanTheBytesToStrip() {
        DecoderEmbedder<ChannelBuffer> embedder = stripping(3000);
        embedder.offer(announced(2000, 1000));
        CodecEmbedderException e = assertThrows(
                CodecEmbedderException.class, () -> embedder.offer(ChannelBuffers.wrappedBuffer(new byte[1000])));
        assertEquals(
                "frame length < initialBytesToStrip: 2000 < 3000", e.getCause().getMessage());
    }

    // ---- what a decoder may do with an announced frame ----

    private interface Rule {
        Object decode(FrameDecoder decoder, ChannelBuffer buffer) throws Exception;
    }

    private interface Cut {
        Object of(FrameDecoder decoder, ChannelBuffer buffer, int start);
    }

    /** Marked, so its announcements count; the mark isn't inherited. */
    @ChannelHandler.Borrower
    private static final class Announcing extends FrameDecoder {
        private final Rule rule;

        Announcing(Rule rule) {
            this.rule = rule;
        }

        @Override
        protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
            return rule.decode(this, buffer);
        }
    }

    /** Announces as many bytes as the first two of a frame say, and cuts a part of it. */
    private static Announcing cutting(Cut cut) {
        return new Announcing((decoder, buffer) -> {
            if (buffer.readableBytes() < 2) {
                return null;
            }
            int frameBytes = buffer.getShort(buffer.readerIndex());
            if (buffer.readableBytes() < frameBytes) {
                decoder.expectFrame(frameBytes, 2);
                return null;
            }
            Object frame = cut.of(decoder, buffer, buffer.readerIndex());
            buffer.skipBytes(frameBytes);
            return frame;
        });
    }

    private static Cut part(int index, int length) {
        return (decoder, buffer, start) -> decoder.extractFrame(buffer, start + index, length);
    }

    private ChannelBuffer frameOf2000() {
        ChannelBuffer frame = ChannelBuffers.buffer(2000);
        frame.writeShort(2000);
        frame.writeBytes(body, 0, 1998);
        return frame;
    }

    private <T> List<T> receiveInHalves(FrameDecoder decoder) {
        DecoderEmbedder<T> embedder = new DecoderEmbedder<>(factory, decoder);
        ChannelBuffer wire = frameOf2000();
        embedder.offer(wire.readBytes(1000));
        embedder.offer(wire.readBytes(1000));
        List<T> frames = new ArrayList<>();
        while (embedder.size() > 0) {
            frames.add(embedder.poll());
        }
        return frames;
    }

    @Test
    void shouldHandOnTheBodyInWhichAFrameWasCollectedWithoutACopy() {
        List<ChannelBuffer> frames = receiveInHalves(cutting(part(2, 1998)));
        assertEquals(List.of(frameOf2000().slice(2, 1998)), frames);
        assertEquals(2, factory.buffers, "the stripped bytes and the body");
    }

    @Test
    void shouldCutAnyPartOfACollectedFrame() {
        for (int[] part : new int[][] {{2, 1997}, {3, 1997}, {1, 1998}, {0, 1998}, {0, 2000}}) {
            List<ChannelBuffer> frames = receiveInHalves(cutting(part(part[0], part[1])));
            assertEquals(List.of(frameOf2000().slice(part[0], part[1])), frames);
        }
    }

    @Test
    void shouldCutAFrameFromAnyBufferAlsoWhenOneIsCollected() {
        ChannelBuffer other = ChannelBuffers.buffer(2000);
        other.writeZero(2000);
        List<ChannelBuffer> frames =
                receiveInHalves(cutting((decoder, buffer, start) -> decoder.extractFrame(other, start + 2, 1998)));
        assertEquals(List.of(other.slice(2, 1998)), frames);
    }

    @Test
    void shouldGiveEachFrameCutFromTheSameBytesMemoryOfItsOwn() {
        Cut body = part(2, 1998);
        FrameDecoder decoder =
                cutting((self, buffer, start) -> List.of(body.of(self, buffer, start), body.of(self, buffer, start)));
        decoder.setUnfold(true);
        List<ChannelBuffer> frames = receiveInHalves(decoder);
        assertEquals(frames.get(0), frames.get(1));
        frames.get(0).setByte(0, ~frames.get(0).getByte(0));
        assertFalse(frames.get(0).equals(frames.get(1)));
    }

    @Test
    void shouldIgnoreAnAnnouncementOfWhatHasArrived() {
        for (int announcedBytes : new int[] {1500, 2000}) {
            FrameDecoder decoder = new Announcing((self, buffer) -> {
                self.expectFrame(announcedBytes, 0);
                return null;
            });
            assertKeeps(decoder, frameOf2000());
        }
    }

    /** Whether the decoder goes on with a read itself, without a copy. */
    private void assertKeeps(FrameDecoder decoder, ChannelBuffer read) {
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(factory, decoder);
        embedder.offer(read);
        assertSame(read, decoder.cumulation);
        assertEquals(0, factory.buffers);
    }

    @Test
    void shouldIgnoreTheAnnouncementOfAnEarlierCallOfDecode() {
        FrameDecoder decoder = new Announcing((self, buffer) -> {
            if (buffer.readerIndex() == 0) {
                buffer.skipBytes(1);
                self.expectFrame(5000, 0);
            }
            return null;
        });
        assertKeeps(decoder, frameOf2000());
    }

    @Test
    void shouldLeaveAShortFrameInItsReadUnlessThatIsLent() {
        assumeTrue(Lending.MODE != Lending.CHECK, "what is offered is lent");
        stripping(2).offer(announced(1023, 500));
        assertEquals(0, factory.buffers);
        stripping(2).offer(announced(1024, 500));
        assertEquals(2, factory.buffers, "the stripped bytes and the body");
    }

    /** The last announcement counts. */
    @Test
    void shouldForgetAnAnnouncement() {
        FrameDecoder decoder = cutting(part(2, 1998));
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(factory, decoder);
        ChannelBuffer wire = frameOf2000();
        embedder.offer(wire.readBytes(1000));
        embedder.offer(wire.readBytes(1000));
        assertEquals(1, embedder.size());
        int buffers = factory.buffers;
        ChannelBuffer read = ChannelBuffers.wrappedBuffer(new byte[] {7});
        embedder.offer(read);
        assertSame(read, decoder.cumulation);
        assertEquals(buffers, factory.buffers);
    }

    @Test
    void shouldGoOnAfterAFrameThatTurnsOutToBeLonger() {
        FrameDecoder decoder = new Announcing((self, buffer) -> {
            if (buffer.readableBytes() < 2000) {
                self.expectFrame(2000, 0);
            }
            return buffer.readableBytes() < 2500 ? null : buffer.readBytes(2500);
        });
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(factory, decoder);
        ChannelBuffer wire = ChannelBuffers.wrappedBuffer(body, 0, 2500);
        for (int size : new int[] {1000, 1000, 300, 200}) {
            embedder.offer(wire.readBytes(size));
        }
        assertEquals(ChannelBuffers.wrappedBuffer(body, 0, 2500), embedder.poll());
    }
}
