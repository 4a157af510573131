package org.freshet.handler.codec.compression;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.handler.codec.compression.ZlibStreams.WRAPPERS;
import static org.freshet.handler.codec.compression.ZlibStreams.all;
import static org.freshet.handler.codec.compression.ZlibStreams.decorated;
import static org.freshet.handler.codec.compression.ZlibStreams.deflated;
import static org.freshet.handler.codec.compression.ZlibStreams.failure;
import static org.freshet.handler.codec.compression.ZlibStreams.inflate;
import static org.freshet.handler.codec.compression.ZlibStreams.join;
import static org.freshet.handler.codec.compression.ZlibStreams.wrap;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.DecoderSplitChecker;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Streams that are truncated, damaged, or followed by other bytes. */
class ZlibDamageTest {
    private final Random random = Seeds.random();

    @ParameterizedTest
    @EnumSource
    void shouldReportTruncationWhereverItIs(Form form) {
        byte[] content = "some text, some more text".getBytes(US_ASCII);
        byte[] stream = form.of(content);
        for (int length = 1; length < stream.length; length++) {
            DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(form.decoder());
            embedder.offer(wrap(Arrays.copyOf(stream, length)));
            CodecEmbedderException e = assertThrows(CodecEmbedderException.class, embedder::finish, "length " + length);
            assertEquals(CompressionException.class, e.getCause().getClass());
            assertEquals("compressed stream is truncated", e.getCause().getMessage());
            byte[] output = all(embedder.pollAll());
            assertArrayEquals(Arrays.copyOf(content, output.length), output, "length " + length);
        }
    }

    /**
     * With a checksum, damage is either reported or at a position without meaning; without one, no other exception is
     * thrown.
     */
    @ParameterizedTest
    @EnumSource
    void shouldReportEveryFlippedBitThatMatters(Form form) {
        String content = "some text, some more text";
        byte[] stream = form.of(content.getBytes(US_ASCII));
        int reported = 0;
        for (int bit = 0; bit < stream.length * 8; bit++) {
            byte[] bad = stream.clone();
            bad[bit / 8] ^= (byte) (1 << bit % 8);
            try {
                String output = inflate(form.decoder(), bad);
                assertTrue(!form.hasChecksum() || output.equals(content), "bit " + bit + " made " + output);
            } catch (CodecEmbedderException e) {
                assertEquals(CompressionException.class, e.getCause().getClass(), "bit " + bit);
                assertEquals(0, e.getSuppressed().length, "reported once");
                reported++;
            }
        }
        assertTrue(reported > 0);
    }

    @ParameterizedTest
    @EnumSource
    void shouldPassBytesAfterTheStream(Form form) {
        byte[] input = join(form.of("some text".getBytes(US_ASCII)), "tail, untouched".getBytes(US_ASCII));
        for (int cut = 1; cut < input.length; cut++) {
            ZlibDecoder decoder = form.decoder();
            String output = inflate(decoder, Arrays.copyOf(input, cut), Arrays.copyOfRange(input, cut, input.length));
            assertEquals("some texttail, untouched", output, "cut " + cut);
            assertTrue(decoder.isClosed());
        }
    }

    @Test
    void shouldReportTruncationAtTheEnd() {
        for (ZlibWrapper wrapper : WRAPPERS) {
            byte[] stream = deflated(wrapper, "hello hello");
            assertEquals("", inflate(new ZlibDecoder(wrapper)), "no bytes are not a stream");
            for (int length = 1; length < stream.length; length++) {
                CompressionException e = failure(new ZlibDecoder(wrapper), Arrays.copyOf(stream, length));
                assertEquals("compressed stream is truncated", e.getMessage(), wrapper + " " + length);
            }
        }
        assertEquals(
                "compressed stream is truncated",
                failure(new ZlibDecoder(ZlibWrapper.ZLIB_OR_NONE), new byte[] {0x78})
                        .getMessage());
    }

    @Test
    void shouldReportCorruptionOnceAndDiscardTheRest() {
        byte[] stream = deflated(ZlibWrapper.ZLIB, "hello hello");
        stream[stream.length - 1] ^= 1;
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(new ZlibDecoder());
        assertThrows(CodecEmbedderException.class, () -> embedder.offer(wrap(stream)));
        assertEquals("hello hello", embedder.poll().toString(US_ASCII));
        embedder.offer(wrap(stream));
        assertFalse(embedder.finish());
    }

    @Test
    void shouldThrowOnlyTheDocumentedExceptionForDamagedStreams() {
        for (int i = 0; i < 3000; i++) {
            ZlibWrapper wrapper = ZlibWrapper.values()[random.nextInt(4)];
            byte[] content = new byte[random.nextInt(400)];
            for (int j = 0; j < content.length; j++) {
                content[j] = (byte) random.nextInt(4);
            }
            byte[] stream = wrapper == ZlibWrapper.GZIP && random.nextBoolean()
                    ? decorated(HexFormat.of().formatHex(content))
                    : deflated(wrapper == ZlibWrapper.ZLIB_OR_NONE ? ZlibWrapper.ZLIB : wrapper, content);
            byte[] bad = Arrays.copyOf(stream, 1 + random.nextInt(stream.length));
            for (int flips = random.nextInt(4); flips > 0; flips--) {
                bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
            }
            try {
                inflate(new ZlibDecoder(wrapper), bad);
            } catch (CodecEmbedderException e) {
                assertEquals(
                        CompressionException.class,
                        e.getCause().getClass(),
                        () -> wrapper + " " + HexFormat.of().formatHex(bad) + " threw " + e.getCause());
                assertEquals(0, e.getSuppressed().length, "reported once");
            }
        }
    }

    @Test
    void shouldReportTheSameDamageHoweverTheInputIsSplit() {
        for (int i = 0; i < 40; i++) {
            byte[] bad = deflated(ZlibWrapper.NONE, "some text, some more text " + i);
            bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
            DecoderSplitChecker.of(() -> new ZlibDecoder(ZlibWrapper.NONE))
                    .joiningBuffers()
                    .check(bad);
        }
    }
}
