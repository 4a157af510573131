package org.freshet.handler.codec.frame;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.DecoderSplitChecker;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.junit.jupiter.api.Test;

/** The decoders of this package: limits, bad input, and every way of splitting the input. */
class FrameDecodersTest {
    private static ChannelBuffer bytes(String text) {
        return ChannelBuffers.copiedBuffer(text, ISO_8859_1);
    }

    /** Frames and the messages of failures; first checks that splitting the input makes no difference. */
    private static List<String> decode(Supplier<FrameDecoder> decoder, String input) {
        DecoderSplitChecker.of(decoder).check(input.getBytes(ISO_8859_1));
        List<String> outcomes = new ArrayList<>();
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(decoder.get());
        for (byte b : input.getBytes(ISO_8859_1)) {
            try {
                embedder.offer(ChannelBuffers.wrappedBuffer(new byte[] {b}));
            } catch (CodecEmbedderException e) {
                outcomes.add(e.getCause().getClass().getSimpleName() + ": "
                        + e.getCause().getMessage());
            }
            while (embedder.size() > 0) {
                outcomes.add(embedder.poll().toString(ISO_8859_1));
            }
        }
        embedder.finish();
        return outcomes;
    }

    // ---- delimiters ----

    @Test
    void shouldStripOrKeepDelimiters() {
        String input = "ab\r\n\ncd\re\nrest";
        assertEquals(
                List.of("ab", "", "cd\re"),
                decode(() -> new DelimiterBasedFrameDecoder(9, Delimiters.lineDelimiter()), input));
        assertEquals(
                List.of("ab\r\n", "\n", "cd\re\n"),
                decode(() -> new DelimiterBasedFrameDecoder(9, false, Delimiters.lineDelimiter()), input));
        assertEquals(List.of("ab", "", "cd\re"), decode(() -> new LineBasedFrameDecoder(9), input));
        assertEquals(
                List.of("ab\r\n", "\n", "cd\re\n"), decode(() -> new LineBasedFrameDecoder(9, false, false), input));
        assertEquals(
                List.of("a", "", "b"),
                decode(() -> new DelimiterBasedFrameDecoder(9, Delimiters.nulDelimiter()), "a\0\0b\0c"));
    }

    @Test
    void shouldPreferTheDelimiterThatIsCompleteFirst() {
        assertEquals(
                List.of("", "b", ""),
                decode(() -> new DelimiterBasedFrameDecoder(9, bytes("ab"), bytes("xabyy"), bytes("x")), "xbabx"));
        assertEquals(
                List.of("x", "", "ab"),
                decode(() -> new DelimiterBasedFrameDecoder(9, bytes("aa"), bytes("aab")), "xaaaaabaa"));
    }

    @Test
    void shouldPreferTheLongerOfTwoDelimitersThatEndTogether() {
        for (ChannelBuffer[] delimiters :
                new ChannelBuffer[][] {{bytes("\n"), bytes("\r\n")}, {bytes("\r\n"), bytes("\n")}}) {
            assertEquals(List.of("a", "b"), decode(() -> new DelimiterBasedFrameDecoder(9, delimiters), "a\r\nb\n"));
        }
    }

    @Test
    void shouldReportATooLongFrameLateWithItsExactLength() {
        String input = "ok\n" + "x".repeat(30) + "\r\n\n12345\n123456\nend\n";
        List<String> expected = List.of(
                "ok",
                "TooLongFrameException: frame length > 5: 30",
                "",
                "12345",
                "TooLongFrameException: frame length > 5: 6",
                "end");
        assertEquals(expected, decode(() -> new LineBasedFrameDecoder(5), input));
        assertEquals(expected, decode(() -> new DelimiterBasedFrameDecoder(5, Delimiters.lineDelimiter()), input));
    }

    @Test
    void shouldReportATooLongFrameFastAndOnce() {
        String input = "ok\n" + "x".repeat(30) + "\r\n12345\r\n123456\nend\n";
        List<String> expected = List.of(
                "ok",
                "TooLongFrameException: frame length > 5",
                "12345",
                "TooLongFrameException: frame length > 5",
                "end");
        assertEquals(expected, decode(() -> new LineBasedFrameDecoder(5, true, true), input));
        assertEquals(
                expected,
                decode(() -> new DelimiterBasedFrameDecoder(5, true, true, Delimiters.lineDelimiter()), input));
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(new LineBasedFrameDecoder(5, true, true));
        assertThrows(CodecEmbedderException.class, () -> embedder.offer(bytes("1234567")), "before the line ends");
    }

    /** Fails at the first byte after which no continuation can form a frame, found by trying all of them. */
    @Test
    void shouldFailFastWithTheFirstByteThatMakesTheFrameTooLong() {
        List<List<String>> sets =
                List.of(List.of("\r\n", "\n"), List.of("abc"), List.of("aab", "b"), List.of("cab", "abb"));
        for (List<String> set : sets) {
            ChannelBuffer[] delimiters = set.stream().map(DigitDecoder::bytes).toArray(ChannelBuffer[]::new);
            for (String input :
                    List.of("xxxxxxxx", "aaaaaaaa", "xxx\rxxxx", "xx\r\r\rxx", "xaabaxxx", "xxabxxxx", "xxxabxab")) {
                assertEquals(
                        firstHopeless(input, delimiters),
                        firstFailure(input, new DelimiterBasedFrameDecoder(3, true, true, delimiters)),
                        set + " " + input);
            }
        }
        assertEquals(4, firstFailure("xxxxxx", new LineBasedFrameDecoder(3, true, true)));
        assertEquals(5, firstFailure("xxx\rxx", new LineBasedFrameDecoder(3, true, true)));
    }

    private static int firstFailure(String input, FrameDecoder decoder) {
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(decoder);
        for (int length = 1; length <= input.length(); length++) {
            ChannelBuffer next = bytes(input.substring(length - 1, length));
            try {
                if (embedder.offer(next)) {
                    return 0;
                }
            } catch (CodecEmbedderException e) {
                assertEquals(TooLongFrameException.class, e.getCause().getClass());
                return length;
            }
        }
        return -1;
    }

    /**
     * The length of the shortest beginning of the input after which no three bytes can end a frame of up to three; 0 if
     * it is a frame.
     */
    private static int firstHopeless(String input, ChannelBuffer[] delimiters) {
        for (int length = 1; length <= input.length(); length++) {
            String beginning = input.substring(0, length);
            if (beginsWithFrame(beginning, delimiters)) {
                return 0;
            }
            List<String> ends = new ArrayList<>(List.of(""));
            for (int i = 0; i < 3; i++) {
                ends = ends.stream()
                        .flatMap(end -> "abc\r\n".chars().mapToObj(c -> end + (char) c))
                        .toList();
            }
            if (ends.stream().noneMatch(end -> beginsWithFrame(beginning + end, delimiters))) {
                return length;
            }
        }
        return -1;
    }

    private static boolean beginsWithFrame(String input, ChannelBuffer[] delimiters) {
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(new DelimiterBasedFrameDecoder(99, delimiters));
        return embedder.offer(bytes(input)) && embedder.poll().readableBytes() <= 3;
    }

    @Test
    void shouldFindDelimitersThatStraddleTheBeginningOfDiscarding() {
        assertEquals(
                List.of("TooLongFrameException: frame length > 3: 6", "ok"),
                decode(() -> new DelimiterBasedFrameDecoder(3, bytes("abc")), "aaabababcokabc"));
    }

    @Test
    void shouldKeepNoMoreOfATooLongFrameThanTheBeginningOfADelimiter() {
        for (boolean failFast : new boolean[] {true, false}) {
            DecoderEmbedder<ChannelBuffer> embedder =
                    new DecoderEmbedder<>(new DelimiterBasedFrameDecoder(50, true, failFast, bytes("abc")));
            for (int i = 0; i < 100; i++) {
                try {
                    embedder.offer(bytes("xx"));
                } catch (CodecEmbedderException e) {
                    assertTrue(failFast);
                }
                if (i > 25) {
                    assertEquals(2, embedder.undecodedBytes());
                }
            }
        }
    }

    /** Passes the buffer through a proxy that counts the bytes that are read individually or searched. */
    private static ChannelBuffer counting(ChannelBuffer buffer, long[] looks) {
        return (ChannelBuffer) Proxy.newProxyInstance(
                FrameDecodersTest.class.getClassLoader(),
                new Class<?>[] {ChannelBuffer.class},
                (proxy, method, args) -> {
                    if (method.getName().equals("getByte")) {
                        looks[0]++;
                    } else if (method.getName().equals("indexOf")) {
                        looks[0] += (int) args[1] - (int) args[0];
                    }
                    return method.invoke(buffer, args);
                });
    }

    @Test
    void shouldNotLookAtAByteTwice() {
        int length = 20_000;
        long[] looks = new long[1];
        List<Supplier<FrameDecoder>> decoders = List.of(
                () -> new LineBasedFrameDecoder(length) {
                    @Override
                    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer)
                            throws Exception {
                        return super.decode(ctx, channel, counting(buffer, looks));
                    }
                },
                () -> new DelimiterBasedFrameDecoder(length, bytes("ab"), bytes("cd")) {
                    @Override
                    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer)
                            throws Exception {
                        return super.decode(ctx, channel, counting(buffer, looks));
                    }
                });
        for (Supplier<FrameDecoder> decoder : decoders) {
            looks[0] = 0;
            DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(decoder.get());
            for (int i = 0; i < length; i++) {
                embedder.offer(bytes("x"));
            }
            assertEquals(length, looks[0]);
        }
    }

    // ---- lengths ----

    @Test
    void shouldSupportAllLengthFields() {
        assertEquals(
                List.of("abc", "", "d"), decode(() -> new LengthFieldBasedFrameDecoder(9, 0, 1, 0, 1), "\3abc\0\1d"));
        assertEquals(
                List.of("abc", ""), decode(() -> new LengthFieldBasedFrameDecoder(9, 0, 2, 0, 2), "\0\3abc\0\0\0"));
        assertEquals(
                List.of("abc", ""), decode(() -> new LengthFieldBasedFrameDecoder(9, 0, 3, 0, 3), "\0\0\3abc\0\0\0\0"));
        assertEquals(List.of("\0\0\0\3abc"), decode(() -> new LengthFieldBasedFrameDecoder(9, 0, 4), "\0\0\0\3abc"));
        assertEquals(
                List.of("abc"), decode(() -> new LengthFieldBasedFrameDecoder(11, 0, 8, 0, 8), "\0\0\0\0\0\0\0\3abc"));
        assertEquals(
                List.of("M\5tabc", "M\2t"),
                decode(() -> new LengthFieldBasedFrameDecoder(99, 1, 1, -1, 0), "M\5tabcM\2t"),
                "length of all but the magic byte");
    }

    @Test
    void shouldReportATooLongLengthLateOrFastAndContinue() {
        String input = "\2ok\36" + "x".repeat(30) + "\4abcd\5abcde\3end";
        for (boolean failFast : new boolean[] {true, false}) {
            assertEquals(
                    List.of(
                            "ok",
                            "TooLongFrameException: frame length > 5: 31",
                            "abcd",
                            "TooLongFrameException: frame length > 5: 6",
                            "end"),
                    decode(() -> new LengthFieldBasedFrameDecoder(5, 0, 1, 0, 1, failFast), input));
        }
    }

    @Test
    void shouldReportExactLengthsBeyondAnInt() {
        DecoderEmbedder<ChannelBuffer> embedder =
                new DecoderEmbedder<>(new LengthFieldBasedFrameDecoder(9, 0, 8, 0, 8, true));
        CodecEmbedderException e =
                assertThrows(CodecEmbedderException.class, () -> embedder.offer(bytes("\0\1\0\0\0\0\0\0")));
        assertEquals("frame length > 9: 281474976710664", e.getCause().getMessage());
        CodecEmbedderException unsigned = assertThrows(
                CodecEmbedderException.class,
                () -> new DecoderEmbedder<>(new LengthFieldBasedFrameDecoder(9, 0, 4, 0, 0, true))
                        .offer(bytes("\u00ff\u00ff\u00ff\u00ff")));
        assertEquals("frame length > 9: 4294967299", unsigned.getCause().getMessage());
    }

    @Test
    void shouldReportImpossibleLengthsAsCorrupt() {
        String[] impossible = {
            "\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff", "\u007f\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff"
        };
        for (String header : impossible) {
            List<String> outcomes =
                    decode(() -> new LengthFieldBasedFrameDecoder(99, 0, 8, 5, 8), header + "\0\0\0\0\0\0\0\0hello");
            assertEquals("CorruptedFrameException", outcomes.get(0).substring(0, 23));
            assertEquals(List.of("hello"), outcomes.subList(1, outcomes.size()));
        }
        assertEquals(
                List.of(
                        "CorruptedFrameException: length field + lengthAdjustment < 0 or > 9223372036854775807: 1 + -2"),
                decode(() -> new LengthFieldBasedFrameDecoder(9, 0, 1, -2, 0), "\1"));
        assertEquals(
                List.of("CorruptedFrameException: frame length < initialBytesToStrip: 2 < 3", "ok"),
                decode(() -> new LengthFieldBasedFrameDecoder(9, 0, 1, 0, 3), "\1x\4xxok"));
    }

    @Test
    void shouldSplitIntoFixedLengths() {
        assertEquals(List.of("abc", "def"), decode(() -> new FixedLengthFrameDecoder(3), "abcdefgh"));
        assertEquals(List.of("abc", "def"), decode(() -> new FixedLengthFrameDecoder(3, true), "abcdefgh"));
    }

    @Test
    void shouldRefuseBadArguments() {
        assertThrows(IllegalArgumentException.class, () -> new FixedLengthFrameDecoder(0));
        assertThrows(IllegalArgumentException.class, () -> new LineBasedFrameDecoder(-1));
        assertThrows(IllegalArgumentException.class, () -> new DelimiterBasedFrameDecoder(0, bytes("a")));
        assertThrows(IllegalArgumentException.class, () -> new DelimiterBasedFrameDecoder(1, new ChannelBuffer[0]));
        assertThrows(IllegalArgumentException.class, () -> new DelimiterBasedFrameDecoder(1, bytes("")));
        assertEquals(
                "delimiters[0]",
                assertThrows(NullPointerException.class, () -> new DelimiterBasedFrameDecoder(1, (ChannelBuffer) null))
                        .getMessage());
        assertEquals(
                "delimiters",
                assertThrows(
                                NullPointerException.class,
                                () -> new DelimiterBasedFrameDecoder(1, (ChannelBuffer[]) null))
                        .getMessage());
        assertEquals(
                "maxFrameLength <= 0: 0",
                assertThrows(IllegalArgumentException.class, () -> new LengthFieldBasedFrameDecoder(0, 0, 1))
                        .getMessage());
        assertThrows(IllegalArgumentException.class, () -> new LengthFieldBasedFrameDecoder(3, 0, 4));
        assertThrows(IllegalArgumentException.class, () -> new LengthFieldBasedFrameDecoder(9, -1, 4));
        assertThrows(IllegalArgumentException.class, () -> new LengthFieldBasedFrameDecoder(9, 0, 5));
        assertThrows(
                IllegalArgumentException.class,
                () -> new LengthFieldBasedFrameDecoder(Integer.MAX_VALUE, Integer.MAX_VALUE, 8));
        assertThrows(IllegalArgumentException.class, () -> new LengthFieldBasedFrameDecoder(9, 0, 4, 0, -1));
        assertThrows(IllegalArgumentException.class, () -> new LengthFieldPrepender(0));
    }

    @Test
    void shouldAcceptTheSmallestMeaningfulLimits() {
        assertEquals(List.of("", ""), decode(() -> new LineBasedFrameDecoder(0), "\n\n"));
        assertEquals(List.of("\0", "\0"), decode(() -> new LengthFieldBasedFrameDecoder(1, 0, 1), "\0\0"));
    }

    @Test
    void shouldCopyAShortBodyNextToItsLengthAndNotALongOne() {
        assertFalse(isSharedWithPrepended(0xff));
        assertFalse(isSharedWithPrepended(512));
        assertTrue(isSharedWithPrepended(513));
    }

    @Test
    void shouldAllocateNoMoreThanTheLengthForALongBody() {
        CountingFactory factory = new CountingFactory();
        EncoderEmbedder<ChannelBuffer> encoder = new EncoderEmbedder<>(factory, new LengthFieldPrepender(4));
        encoder.offer(ChannelBuffers.wrappedBuffer(new byte[513]));
        assertEquals(4, factory.bytes);
    }

    private static boolean isSharedWithPrepended(int length) {
        EncoderEmbedder<ChannelBuffer> encoder = new EncoderEmbedder<>(new LengthFieldPrepender(4));
        ChannelBuffer body = ChannelBuffers.wrappedBuffer(new byte[length]);
        encoder.offer(body);
        body.setByte(0, 1);
        return encoder.poll().getByte(4) == 1;
    }

    @Test
    void shouldPrependALengthToBuffersOnly() {
        EncoderEmbedder<Object> encoder = new EncoderEmbedder<>(new LengthFieldPrepender(4));
        encoder.offer("not a buffer");
        assertEquals("not a buffer", encoder.poll());
    }

    @Test
    void shouldReadBackWhatWasPrependedInBothOrders() {
        for (java.nio.ByteOrder order :
                new java.nio.ByteOrder[] {java.nio.ByteOrder.BIG_ENDIAN, java.nio.ByteOrder.LITTLE_ENDIAN}) {
            for (int length : new int[] {0, 200, 600}) {
                for (int fieldLength : new int[] {2, 3, 4, 8}) {
                    EncoderEmbedder<ChannelBuffer> encoder =
                            new EncoderEmbedder<>(new LengthFieldPrepender(fieldLength));
                    ChannelBuffer body = ChannelBuffers.buffer(order, 700);
                    body.writeZero(length);
                    encoder.offer(body);
                    DecoderEmbedder<ChannelBuffer> decoder = new DecoderEmbedder<>(
                            new LengthFieldBasedFrameDecoder(700, 0, fieldLength, 0, fieldLength));
                    decoder.offer(encoder.poll());
                    assertEquals(body, decoder.poll(), order + " " + length + " " + fieldLength);
                }
            }
        }
    }
}
