package org.freshet.handler.codec.spdy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.Adler32;
import java.util.zip.Deflater;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.codec.Netty3;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.DecoderSplitChecker;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.freshet.handler.codec.internal.CoderPool;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

class SpdyFrameCodecTest {
    /**
     * The same damage each time: Netty 3 intentionally differs in places, and a build should not find out by chance.
     */
    private static final long DAMAGE = 20_261_122;

    private static final SpdyVersion V = SpdyVersion.SPDY_3_1;
    private static final org.jboss.netty.handler.codec.spdy.SpdyVersion THEIR_V =
            org.jboss.netty.handler.codec.spdy.SpdyVersion.SPDY_3_1;

    private static SpdyFrameCodec codec() {
        return new SpdyFrameCodec(V, 16, 200, 6, 15, 8);
    }

    private static org.jboss.netty.handler.codec.spdy.SpdyFrameCodec theirCodec() {
        return new org.jboss.netty.handler.codec.spdy.SpdyFrameCodec(THEIR_V, 16, 200, 6, 15, 8);
    }

    /** One frame of each kind. */
    private static List<SpdyFrame> frames() {
        SpdySynStreamFrame syn = new DefaultSpdySynStreamFrame(1, 0, (byte) 5);
        syn.headers()
                .add(":method", "GET")
                .add(":path", "/")
                .add("x", "1")
                .add("x", "2")
                .add("empty", "");
        SpdySynStreamFrame push = new DefaultSpdySynStreamFrame(2, 1, (byte) 7);
        push.setUnidirectional(true);
        push.setLast(true);
        SpdySynReplyFrame reply = new DefaultSpdySynReplyFrame(1);
        reply.headers().add(":status", "200 OK").add("set-cookie", "a").add("set-cookie", "b");
        SpdyHeadersFrame headers = new DefaultSpdyHeadersFrame(1);
        headers.headers().add("trailer", "\u00e9");
        headers.setLast(true);
        SpdyDataFrame data = new DefaultSpdyDataFrame(1);
        data.setData(ChannelBuffers.wrappedBuffer(new byte[40]));
        data.setLast(true);
        SpdySettingsFrame settings = new DefaultSpdySettingsFrame();
        settings.setValue(4, 100);
        settings.setValue(7, 1 << 20, true, true);
        settings.setClearPreviouslyPersistedSettings(true);
        return List.of(
                syn,
                push,
                reply,
                data,
                new DefaultSpdyDataFrame(3),
                headers,
                settings,
                new DefaultSpdyPingFrame(-3),
                new DefaultSpdyGoAwayFrame(9, SpdySessionStatus.INTERNAL_ERROR),
                new DefaultSpdyRstStreamFrame(1, SpdyStreamStatus.CANCEL),
                new DefaultSpdyWindowUpdateFrame(0, 77));
    }

    private static byte[] encode(SpdyFrameCodec codec, List<SpdyFrame> frames) {
        EncoderEmbedder<ChannelBuffer> encoder = new EncoderEmbedder<>(codec);
        frames.forEach(encoder::offer);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (ChannelBuffer frame = encoder.poll(); frame != null; frame = encoder.poll()) {
            byte[] array = new byte[frame.readableBytes()];
            frame.readBytes(array);
            bytes.writeBytes(array);
        }
        encoder.finish();
        return bytes.toByteArray();
    }

    /** Netty 3's encoding of the frames that it decodes from these bytes. */
    private static byte[] reencodedByNetty3(byte[] bytes) {
        org.jboss.netty.handler.codec.embedder.DecoderEmbedder<Object> decoder =
                new org.jboss.netty.handler.codec.embedder.DecoderEmbedder<>(theirCodec());
        decoder.offer(org.jboss.netty.buffer.ChannelBuffers.wrappedBuffer(bytes));
        org.jboss.netty.handler.codec.embedder.EncoderEmbedder<org.jboss.netty.buffer.ChannelBuffer> encoder =
                new org.jboss.netty.handler.codec.embedder.EncoderEmbedder<>(theirCodec());
        for (Object frame = decoder.poll(); frame != null; frame = decoder.poll()) {
            encoder.offer(frame);
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (org.jboss.netty.buffer.ChannelBuffer b = encoder.poll(); b != null; b = encoder.poll()) {
            byte[] array = new byte[b.readableBytes()];
            b.readBytes(array);
            all.writeBytes(array);
        }
        return all.toByteArray();
    }

    @Test
    void shouldReadAndWriteTheSameFramesAsNetty3() {
        byte[] ours = encode(codec(), frames());
        Netty3.Outcome expected = Netty3.theirs(theirCodec(), ours);
        assertEquals(12 + 1, expected.frames().size(), "40 bytes of data in three pieces");
        assertEquals(expected, Netty3.ours(codec(), ours));
        byte[] theirs = reencodedByNetty3(ours);
        assertEquals(Netty3.theirs(theirCodec(), theirs), Netty3.ours(codec(), theirs));
    }

    @Test
    void shouldWriteFramesWithoutHeadersByteForByteAsNetty3() {
        List<SpdyFrame> plain = frames().stream()
                .filter(f -> !(f instanceof SpdyHeadersFrame) && !(f instanceof SpdyDataFrame))
                .toList();
        byte[] ours = encode(codec(), plain);
        assertEquals(hex(reencodedByNetty3(ours)), hex(ours));
    }

    @Test
    void shouldDecodeTheSameHoweverTheInputIsSplit() {
        SpdySynStreamFrame large = new DefaultSpdySynStreamFrame(3, 0, (byte) 0);
        large.headers().add("large", "v".repeat(300));
        List<SpdyFrame> frames = new ArrayList<>(frames());
        frames.add(1, large);
        byte[] bytes = encode(codec(), frames);
        DecoderSplitChecker.of(SpdyFrameCodecTest::codec)
                .comparing(String::valueOf)
                .check(bytes);
        byte[] error = bytes.clone();
        error[bytes.length - 1] = 0;
        error[bytes.length - 2] = 0;
        DecoderSplitChecker.of(SpdyFrameCodecTest::codec)
                .comparing(String::valueOf)
                .check(hexTail(error, 60));
    }

    private static byte[] hexTail(byte[] bytes, int length) {
        // GOAWAY, RST_STREAM and WINDOW_UPDATE are 16 bytes each, PING 12.
        return java.util.Arrays.copyOfRange(bytes, bytes.length - length, bytes.length);
    }

    @Test
    void shouldDecodeDamagedFramesAsNetty3() {
        Random random = new Random(DAMAGE);
        byte[] valid = encode(codec(), frames());
        for (int i = 0; i < 3000; i++) {
            byte[] damaged = valid.clone();
            for (int n = random.nextInt(3); n >= 0; n--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(random.nextBoolean() ? 256 : 4);
            }
            Netty3.Outcome theirs = Netty3.theirs(theirCodec(), damaged);
            Netty3.Outcome ours = Netty3.ours(codec(), damaged);
            // A failed session ends here, while Netty 3 continues after a corrupt header block.
            if (ours.failures().isEmpty() && theirs.failures().isEmpty()) {
                assertEquals(withoutHeaders(theirs.frames()), withoutHeaders(ours.frames()), () -> hex(damaged));
            }
            assertTrue(
                    !ours.failures().isEmpty()
                            || ours.frames().size() >= theirs.frames().size(),
                    () -> hex(damaged));
        }
    }

    /** For an invalid frame, Netty 3 keeps the headers before the error. Other tests compare the contents of blocks. */
    private static List<String> withoutHeaders(List<String> frames) {
        return frames.stream()
                .map(frame -> frame.replaceFirst("(?s)\\R--> Headers:.*", ""))
                .toList();
    }

    private static String hex(byte[] bytes) {
        return ChannelBuffers.hexDump(ChannelBuffers.wrappedBuffer(bytes));
    }

    @Test
    void shouldReadRawHeaderBlocksAsNetty3() throws Exception {
        Random random = Seeds.random();
        for (int i = 0; i < Seeds.rounds(5_000); i++) {
            byte[] block = randomBlock(random);
            SpdyHeadersFrame ours = new DefaultSpdyHeadersFrame(1);
            SpdyHeaderBlockRawDecoder decoder = new SpdyHeaderBlockRawDecoder(V, 40);
            int cut = random.nextInt(block.length + 1);
            decoder.decode(ChannelBuffers.wrappedBuffer(block, 0, cut), ours);
            decoder.decode(ChannelBuffers.wrappedBuffer(block, cut, block.length - cut), ours);
            decoder.endHeaderBlock(ours);
            String theirs = RawNetty3.decode(block, 40);
            String text = ours.isTruncated() + " " + ours.isInvalid() + " "
                    + (ours.isInvalid() ? "" : ours.headers().entries());
            assertEquals(theirs, text, () -> hex(block));
        }
    }

    private static byte[] randomBlock(Random random) {
        ChannelBuffer block = ChannelBuffers.dynamicBuffer();
        int count = random.nextInt(4);
        block.writeInt(random.nextInt(20) == 0 ? count - 2 : count);
        for (int i = 0; i < count; i++) {
            for (int part = 0; part < 2; part++) {
                int length = random.nextInt(10) == 0 ? random.nextInt(60) : random.nextInt(5) + 1 - part;
                block.writeInt(random.nextInt(40) == 0 ? -1 : length);
                for (int k = 0; k < length; k++) {
                    block.writeByte(part == 1 && random.nextInt(6) == 0 ? 0 : 'a' + random.nextInt(3));
                }
            }
        }
        if (random.nextInt(10) == 0) {
            block.writeByte(1);
        }
        byte[] bytes = new byte[block.readableBytes()];
        block.readBytes(bytes);
        return bytes;
    }

    /** Netty 3's codec with uncompressed header blocks. */
    private static final class RawNetty3 {
        static String decode(byte[] block, int maxHeaderSize) {
            org.jboss.netty.handler.codec.spdy.SpdyVersion v = THEIR_V;
            ByteArrayOutputStream frame = new ByteArrayOutputStream();
            frame.writeBytes(new byte[] {(byte) 0x80, 3, 0, 8, 0, 0, 0, 0, 0, 0, 0, 1});
            byte[] deflated = deflate(block);
            byte[] bytes = java.util.Arrays.copyOf(frame.toByteArray(), 12 + deflated.length);
            bytes[6] = (byte) (4 + deflated.length >> 8);
            bytes[7] = (byte) (4 + deflated.length);
            System.arraycopy(deflated, 0, bytes, 12, deflated.length);
            org.jboss.netty.handler.codec.embedder.DecoderEmbedder<Object> decoder =
                    new org.jboss.netty.handler.codec.embedder.DecoderEmbedder<>(
                            new org.jboss.netty.handler.codec.spdy.SpdyFrameCodec(v, 16, maxHeaderSize, 6, 15, 8));
            decoder.offer(org.jboss.netty.buffer.ChannelBuffers.wrappedBuffer(bytes));
            org.jboss.netty.handler.codec.spdy.SpdyHeadersFrame read =
                    (org.jboss.netty.handler.codec.spdy.SpdyHeadersFrame) decoder.poll();
            return read.isTruncated() + " " + read.isInvalid() + " "
                    + (read.isInvalid() ? "" : read.headers().entries());
        }
    }

    private static byte[] deflate(byte[] block) {
        Deflater deflater = new Deflater();
        deflater.setDictionary(SpdyDictionary.bytes());
        deflater.setInput(block);
        byte[] out = new byte[block.length + 100];
        int length = deflater.deflate(out, 0, out.length, Deflater.SYNC_FLUSH);
        deflater.end();
        return java.util.Arrays.copyOf(out, length);
    }

    @Test
    void shouldHaveTheDictionaryOfTheSpecification() {
        Adler32 adler = new Adler32();
        adler.update(SpdyDictionary.bytes());
        assertEquals(0xe3c6a7c2L, adler.getValue());
        assertEquals(1423, SpdyDictionary.bytes().length);
    }

    /** CVE-2026-55833. */
    @Test
    void shouldStopInflatingABlockAtSixteenTimesTheMaximum() {
        byte[] fits = headersFrame(deflate(new byte[16 * 200]));
        assertInstanceOf(SpdyHeadersFrame.class, decodeOne(fits));
        byte[] bomb = headersFrame(deflate(new byte[12 << 20]));
        assertTrue(bomb.length < 13_000, "deflated to " + bomb.length);
        DecoderEmbedder<Object> decoder = new DecoderEmbedder<>(codec());
        CodecEmbedderException e =
                assertThrows(CodecEmbedderException.class, () -> decoder.offer(ChannelBuffers.wrappedBuffer(bomb)));
        assertInstanceOf(SpdyProtocolException.class, e.getCause());
        assertTrue(e.getCause().getMessage().contains("more than 3200"), e.getCause()::getMessage);
        decoder.offer(ChannelBuffers.wrappedBuffer(encode(codec(), List.of(new DefaultSpdyPingFrame(1)))));
        assertNull(decoder.poll(), "nothing after it is decoded");
    }

    private static Object decodeOne(byte[] bytes) {
        DecoderEmbedder<Object> decoder = new DecoderEmbedder<>(codec());
        decoder.offer(ChannelBuffers.wrappedBuffer(bytes));
        return decoder.poll();
    }

    private static byte[] headersFrame(byte[] block) {
        ChannelBuffer frame = new SpdyFrameEncoder(V).encodeHeadersFrame(1, false, ChannelBuffers.wrappedBuffer(block));
        byte[] bytes = new byte[frame.readableBytes()];
        frame.readBytes(bytes);
        return bytes;
    }

    /** CVE-2026-55831. */
    @Test
    void shouldRefuseMoreThanSixtyFourSettings() {
        SpdySettingsFrame settings = new DefaultSpdySettingsFrame();
        for (int id = 0; id < 64; id++) {
            settings.setValue(id, id);
        }
        assertEquals(
                settings.toString(),
                decodeOne(encode(codec(), List.of(settings))).toString());
        settings.setValue(64, 64);
        byte[] tooMany = encode(codec(), List.of(settings));
        CodecEmbedderException e = assertThrows(CodecEmbedderException.class, () -> decodeOne(tooMany));
        assertEquals("SETTINGS frame has more than 64 entries: 65", e.getCause().getMessage());
    }

    @Test
    void shouldReturnItsCodersWhenTheChannelCloses() {
        int before = CoderPool.taken();
        byte[] bytes = encode(codec(), frames());
        DecoderEmbedder<Object> decoder = new DecoderEmbedder<>(codec());
        decoder.offer(ChannelBuffers.wrappedBuffer(bytes));
        assertEquals(before + 1, CoderPool.taken());
        decoder.finish();
        assertEquals(before, CoderPool.taken());
    }

    @Test
    void shouldRefuseHeadersThatCannotBeSent() {
        SpdyHeaders headers = new DefaultSpdyHeaders();
        assertThrows(IllegalArgumentException.class, () -> headers.add("", "v"));
        assertThrows(IllegalArgumentException.class, () -> headers.add("\u00e9", "v"));
        assertThrows(IllegalArgumentException.class, () -> headers.add("a", "v\0w"));
        assertThrows(IllegalArgumentException.class, () -> headers.add("a".repeat(65536), "v"));
        assertThrows(NullPointerException.class, () -> headers.add("a", (Object) null));
        assertTrue(headers.isEmpty());
        headers.add("A", 1).add("b", 2).add("a", 3);
        assertEquals("[a=1, b=2, a=3]", headers.entries().toString());
        assertEquals("1", headers.get("a"));
        assertEquals(List.of("1", "3"), headers.getAll("A"));
        headers.set("a", List.of("x"));
        assertEquals("[b=2, a=x]", headers.entries().toString());
        assertFalse(headers.remove("B").contains("b"));
        assertThrows(UnsupportedOperationException.class, () -> SpdyHeaders.EMPTY_HEADERS.add("a", "b"));
    }

    /** Headers wait as long as data. */
    @Test
    void shouldCountHeadersInTheWriteAccount() {
        SpdyHeadersFrame reply = new DefaultSpdySynReplyFrame(1);
        assertEquals(WriteAccount.costOf(0), WriteAccount.bytesOf(reply));
        reply.headers().add("note", "x".repeat(60_000));
        long waiting = WriteAccount.bytesOf(reply);
        assertTrue(waiting >= 60_000 && waiting < 61_000, () -> waiting + " bytes");
    }
}
