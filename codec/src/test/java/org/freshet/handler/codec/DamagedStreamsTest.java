package org.freshet.handler.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.handler.codec.base64.Base64Decoder;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.DecoderSplitChecker;
import org.freshet.handler.codec.frame.CorruptedFrameException;
import org.freshet.handler.codec.frame.DelimiterBasedFrameDecoder;
import org.freshet.handler.codec.frame.Delimiters;
import org.freshet.handler.codec.frame.FixedLengthFrameDecoder;
import org.freshet.handler.codec.frame.LengthFieldBasedFrameDecoder;
import org.freshet.handler.codec.frame.LineBasedFrameDecoder;
import org.freshet.handler.codec.frame.TooLongFrameException;
import org.freshet.handler.codec.protobuf.ProtobufVarint32FrameDecoder;
import org.freshet.handler.codec.string.StringDecoder;
import org.freshet.testing.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sends valid streams with flipped bits and truncated ends through every frame decoder. The exceptions are the
 * documented ones, they are the same however the stream is split, and a decoder keeps no more than its limit.
 */
class DamagedStreamsTest {
    private static final int MAX_FRAME_LENGTH = 40;
    private static final int MAX_TRIES = 1_000_000;

    /**
     * The most that a frame decoder may keep of an unfinished frame: the longest frame, its header and its delimiter.
     */
    private static final int MAX_KEPT = MAX_FRAME_LENGTH + 16;

    private static final Set<Class<?>> FRAME_FAILURES =
            Set.of(TooLongFrameException.class, CorruptedFrameException.class);

    /** @param content returns the bytes of a frame with content of the given length */
    private record Format(
            String name,
            Supplier<ChannelUpstreamHandler[]> decoders,
            java.util.function.IntFunction<byte[]> content,
            Set<Class<?>> failures) {
        byte[] stream(Random random, int frames) {
            ChannelBuffer stream = ChannelBuffers.dynamicBuffer();
            for (int i = 0; i < frames; i++) {
                stream.writeBytes(content.apply(random.nextInt(MAX_FRAME_LENGTH - 8)));
            }
            byte[] bytes = new byte[stream.readableBytes()];
            stream.readBytes(bytes);
            return bytes;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static Format format(
            String name, Supplier<ChannelUpstreamHandler> decoder, java.util.function.IntFunction<byte[]> content) {
        return new Format(name, () -> new ChannelUpstreamHandler[] {decoder.get()}, content, FRAME_FAILURES);
    }

    private static Stream<Format> formats() {
        return Stream.of(
                length(1, true),
                length(2, false),
                length(3, true),
                length(4, false),
                length(8, true),
                format("line", () -> new LineBasedFrameDecoder(MAX_FRAME_LENGTH), size -> line(size, "\r\n")),
                format(
                        "delimiter",
                        () -> new DelimiterBasedFrameDecoder(MAX_FRAME_LENGTH, Delimiters.nulDelimiter()),
                        size -> line(size, "\0")),
                format("fixed", () -> new FixedLengthFrameDecoder(7), byte[]::new),
                format("varint", () -> new ProtobufVarint32FrameDecoder(MAX_FRAME_LENGTH), size -> {
                    byte[] frame = new byte[size + 1];
                    frame[0] = (byte) size;
                    return frame;
                }),
                new Format(
                        "base64 lines",
                        () -> new ChannelUpstreamHandler[] {
                            new LineBasedFrameDecoder(MAX_FRAME_LENGTH), new Base64Decoder()
                        },
                        size -> line(size / 4 * 4, "\n"),
                        Set.of(TooLongFrameException.class, IllegalArgumentException.class)),
                new Format(
                        "UTF-8 lines",
                        () -> new ChannelUpstreamHandler[] {
                            new LineBasedFrameDecoder(MAX_FRAME_LENGTH), new StringDecoder(UTF_8)
                        },
                        size -> ("\u00e4\u20ac\ud83d\ude00".repeat(size / 9) + "\n").getBytes(UTF_8),
                        Set.of(TooLongFrameException.class)));
    }

    private static Format length(int fieldLength, boolean failFast) {
        return format(
                "length of " + fieldLength,
                () -> new LengthFieldBasedFrameDecoder(MAX_FRAME_LENGTH, 0, fieldLength, 0, fieldLength, failFast),
                size -> {
                    byte[] frame = new byte[fieldLength + size];
                    frame[fieldLength - 1] = (byte) size;
                    return frame;
                });
    }

    private static byte[] line(int size, String end) {
        return ("x".repeat(size) + end).getBytes(US_ASCII);
    }

    private static byte[] damaged(Random random, byte[] good) {
        byte[] bad = Arrays.copyOf(good, random.nextInt(2) == 0 ? good.length : random.nextInt(good.length + 1));
        for (int flips = random.nextInt(4); flips > 0 && bad.length > 0; flips--) {
            bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return bad;
    }

    @ParameterizedTest
    @MethodSource("formats")
    void shouldFailWithTheDocumentedExceptions(Format format) {
        Random random = Seeds.random();
        boolean canFail = !format.name.equals("fixed");
        int failures = 0;
        // Some formats fail once in 500 tries: repeat until one has failed, so that the test checks something.
        for (int i = 0; i < 3000 || canFail && failures == 0 && i < MAX_TRIES; i++) {
            failures += decodeInPieces(damaged(random, format.stream(random, 1 + random.nextInt(6))), random, format);
        }
        assertEquals(canFail, failures > 0, "failures: " + failures);
    }

    /** Returns the number of failures. */
    private static int decodeInPieces(byte[] bytes, Random random, Format format) {
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(format.decoders.get());
        int[] cuts = Netty3.randomCuts(random, bytes.length, random.nextInt(5));
        int failures = 0;
        int start = 0;
        for (int cut = 0; cut <= cuts.length; cut++) {
            int end = cut < cuts.length ? cuts[cut] : bytes.length;
            failures += offer(embedder, Arrays.copyOfRange(bytes, start, end), format);
            assertTrue(embedder.undecodedBytes() <= MAX_KEPT, () -> "keeps " + embedder.undecodedBytes());
            start = end;
        }
        embedder.finish();
        return failures;
    }

    private static int offer(DecoderEmbedder<Object> embedder, byte[] piece, Format format) {
        try {
            embedder.offer(ChannelBuffers.wrappedBuffer(piece));
            return 0;
        } catch (CodecEmbedderException e) {
            Stream.concat(Stream.of(e.getCause()), Arrays.stream(e.getSuppressed()))
                    .forEach(failure -> assertTrue(
                            format.failures.contains(failure.getClass()),
                            () -> failure + " for " + HexFormat.of().formatHex(piece)));
            return 1 + e.getSuppressed().length;
        }
    }

    @ParameterizedTest
    @MethodSource("formats")
    void shouldDecodeTheSameHoweverADamagedStreamIsSplit(Format format) {
        Random random = Seeds.random();
        for (int i = 0; i < 6; i++) {
            DecoderSplitChecker.ofPipeline(format.decoders).check(damaged(random, format.stream(random, 3)));
        }
    }
}
