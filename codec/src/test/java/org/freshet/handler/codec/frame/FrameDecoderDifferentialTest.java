package org.freshet.handler.codec.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.Netty3;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

/** Random streams, split at random, through the frame decoders and those of Netty 3. */
class FrameDecoderDifferentialTest {
    private static final int ROUNDS = 2000;

    private final Random random = Seeds.random();

    @Test
    void shouldCutByLengthAsNetty3Does() {
        int[] fieldLengths = {1, 2, 3, 4, 8};
        for (int i = 0; i < ROUNDS; i++) {
            int offset = random.nextInt(4);
            int fieldLength = fieldLengths[random.nextInt(fieldLengths.length)];
            // When a too long frame is in one read, Netty 3 loses the bytes after it; a separate test covers this.
            int max = 500;
            int adjustment = random.nextInt(9) - 4;
            int strip = random.nextInt(offset + fieldLength + 3);
            boolean failFast = random.nextBoolean();
            byte[] input = lengthStream(offset, fieldLength);
            int[] cuts = Netty3.randomCuts(random, input.length, random.nextInt(8));
            Netty3.Outcome theirs = Netty3.theirs(
                    new org.jboss.netty.handler.codec.frame.LengthFieldBasedFrameDecoder(
                            max, offset, fieldLength, adjustment, strip, failFast),
                    input,
                    cuts);
            Netty3.Outcome ours = Netty3.ours(
                    new LengthFieldBasedFrameDecoder(max, offset, fieldLength, adjustment, strip, failFast),
                    input,
                    cuts);
            assertEquals(
                    theirs,
                    theirs.failures().isEmpty() ? ours : ours.upTo(theirs),
                    () -> "offset " + offset + " field " + fieldLength + " adjustment " + adjustment + " strip " + strip
                            + " failFast " + failFast + " input " + hex(input));
        }
    }

    /** Headers whose lengths are mostly plausible, sometimes too long, rarely negative. */
    private byte[] lengthStream(int offset, int fieldLength) {
        ChannelBuffer stream = ChannelBuffers.dynamicBuffer();
        for (int frames = random.nextInt(8); frames >= 0; frames--) {
            int length = random.nextInt(18);
            stream.writeZero(offset);
            long value = fieldLength == 8 && random.nextInt(40) == 0 ? -1 - random.nextInt(300) : length;
            for (int i = fieldLength - 1; i >= 0; i--) {
                stream.writeByte((int) (value >> 8 * i));
            }
            for (int i = 0; i < length; i++) {
                stream.writeByte(fieldLength < 3 ? random.nextInt(20) : 0);
            }
        }
        return bytes(stream);
    }

    @Test
    void shouldCutByDelimitersAsNetty3Does() {
        for (int i = 0; i < ROUNDS; i++) {
            byte[] input = text(60);
            int max = 1 + random.nextInt(12);
            boolean strip = random.nextBoolean();
            boolean failFast = random.nextBoolean();
            int[] cuts = Netty3.randomCuts(random, input.length, random.nextInt(8));
            assertEquals(
                    Netty3.theirs(
                            new org.jboss.netty.handler.codec.frame.DelimiterBasedFrameDecoder(
                                    max, strip, failFast, theirs("\n"), theirs("b")),
                            input,
                            cuts),
                    Netty3.ours(
                            new DelimiterBasedFrameDecoder(max, strip, failFast, ours("\n"), ours("b")), input, cuts),
                    () -> "max " + max + " strip " + strip + " failFast " + failFast + " input " + hex(input));
        }
    }

    @Test
    void shouldCutLinesAsNetty3DoesWhenNoneIsTooLong() {
        for (int i = 0; i < ROUNDS; i++) {
            byte[] input = text(60);
            boolean strip = random.nextBoolean();
            int[] cuts = Netty3.randomCuts(random, input.length, random.nextInt(8));
            Netty3.Outcome expected = Netty3.theirs(
                    new org.jboss.netty.handler.codec.frame.LineBasedFrameDecoder(100, strip, false), input, cuts);
            assertEquals(expected, Netty3.ours(new LineBasedFrameDecoder(100, strip, false), input, cuts));
            assertEquals(
                    expected,
                    Netty3.ours(new DelimiterBasedFrameDecoder(100, strip, Delimiters.lineDelimiter()), input, cuts));
        }
    }

    @Test
    void shouldSkipTooLongLinesAsNetty3DoesInOneRead() {
        for (int i = 0; i < ROUNDS; i++) {
            byte[] input = text(60);
            int max = 1 + random.nextInt(12);
            assertEquals(
                    Netty3.theirs(
                            new org.jboss.netty.handler.codec.frame.LineBasedFrameDecoder(max, true, false),
                            complete(input)),
                    Netty3.ours(new LineBasedFrameDecoder(max, true, false), complete(input)),
                    () -> "max " + max + " input " + hex(input));
        }
    }

    @Test
    void shouldCutFixedLengthsAsNetty3Does() {
        for (int i = 0; i < ROUNDS; i++) {
            byte[] input = text(60);
            int length = 1 + random.nextInt(20);
            boolean full = random.nextBoolean();
            int[] cuts = Netty3.randomCuts(random, input.length, random.nextInt(8));
            assertEquals(
                    Netty3.theirs(
                            new org.jboss.netty.handler.codec.frame.FixedLengthFrameDecoder(length, full), input, cuts),
                    Netty3.ours(new FixedLengthFrameDecoder(length, full), input, cuts));
        }
    }

    @Test
    void shouldPrependLengthsAsNetty3Does() {
        for (int length : new int[] {0, 1, 100, 255, 512, 513, 70_000}) {
            for (int fieldLength : new int[] {1, 2, 3, 4, 8}) {
                for (boolean inclusive : new boolean[] {true, false}) {
                    assertEquals(
                            prefixedByNetty3(fieldLength, inclusive, length),
                            prefixed(fieldLength, inclusive, length),
                            () -> length + " bytes, field of " + fieldLength + ", inclusive " + inclusive);
                }
            }
        }
    }

    private static String prefixed(int fieldLength, boolean inclusive, int length) {
        var embedder = new org.freshet.handler.codec.embedder.EncoderEmbedder<ChannelBuffer>(
                new LengthFieldPrepender(fieldLength, inclusive));
        try {
            embedder.offer(ChannelBuffers.wrappedBuffer(new byte[length]));
            return ChannelBuffers.hexDump(embedder.poll());
        } catch (org.freshet.handler.codec.embedder.CodecEmbedderException e) {
            return e.getCause().getClass().getName();
        }
    }

    private static String prefixedByNetty3(int fieldLength, boolean inclusive, int length) {
        var embedder = new org.jboss.netty.handler.codec.embedder.EncoderEmbedder<org.jboss.netty.buffer.ChannelBuffer>(
                new org.jboss.netty.handler.codec.frame.LengthFieldPrepender(fieldLength, inclusive));
        try {
            embedder.offer(org.jboss.netty.buffer.ChannelBuffers.wrappedBuffer(new byte[length]));
            return org.jboss.netty.buffer.ChannelBuffers.hexDump(embedder.poll());
        } catch (org.jboss.netty.handler.codec.embedder.CodecEmbedderException e) {
            return e.getCause().getClass().getName();
        }
    }

    private byte[] text(int maxLength) {
        byte[] text = new byte[random.nextInt(maxLength)];
        for (int i = 0; i < text.length; i++) {
            text[i] = (byte) "ab\r\nxyzcde".charAt(random.nextInt(10));
        }
        return text;
    }

    private static byte[] complete(byte[] lines) {
        byte[] complete = java.util.Arrays.copyOf(lines, lines.length + 1);
        complete[lines.length] = '\n';
        return complete;
    }

    private static ChannelBuffer ours(String text) {
        return ChannelBuffers.copiedBuffer(text, java.nio.charset.StandardCharsets.US_ASCII);
    }

    private static org.jboss.netty.buffer.ChannelBuffer theirs(String text) {
        return org.jboss.netty.buffer.ChannelBuffers.copiedBuffer(text, java.nio.charset.StandardCharsets.US_ASCII);
    }

    private static byte[] bytes(ChannelBuffer buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes);
        return bytes;
    }

    private static String hex(byte[] bytes) {
        return java.util.HexFormat.of().formatHex(bytes) + " (seed " + Seeds.seed() + ")";
    }
}
