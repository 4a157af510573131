package org.freshet.handler.codec.embedder;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.frame.FrameDecoder;
import org.freshet.handler.codec.frame.LineBasedFrameDecoder;
import org.freshet.handler.codec.string.StringDecoder;
import org.junit.jupiter.api.Test;

class DecoderSplitCheckerTest {
    private static byte[] ascii(String text) {
        return text.getBytes(US_ASCII);
    }

    /** Wrong: treats each read as a frame. */
    private static final class EachRead extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            ctx.sendUpstream(e);
        }
    }

    /** Wrong only if the input is split inside a line end: treats a lone CR as one. */
    private static final class HalfLineEnds extends FrameDecoder {
        @Override
        protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) {
            for (int i = buffer.readerIndex(); i < buffer.writerIndex(); i++) {
                if (buffer.getByte(i) == '\r') {
                    String line = buffer.toString(buffer.readerIndex(), i - buffer.readerIndex(), US_ASCII);
                    boolean whole = i + 1 < buffer.writerIndex();
                    buffer.readerIndex(whole ? i + 2 : i + 1);
                    return line;
                }
            }
            return null;
        }
    }

    /** Wrong only with three pieces: counts its reads. */
    private static final class CountsReads extends SimpleChannelUpstreamHandler {
        private int reads;

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            reads++;
            if (reads == 3) {
                ctx.getChannel().write("third");
            }
        }
    }

    @Test
    void shouldFeedEveryOneCutAndTwoCutSplitAndByteByByte() {
        int length = 6;
        Set<List<Integer>> seen = new HashSet<>();
        List<List<Integer>> runs = new ArrayList<>();
        DecoderSplitChecker.of(() -> {
                    List<Integer> pieces = new ArrayList<>();
                    runs.add(pieces);
                    return new SimpleChannelUpstreamHandler() {
                        @Override
                        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                            pieces.add(((ChannelBuffer) e.getMessage()).readableBytes());
                        }
                    };
                })
                .check(new byte[length]);
        runs.forEach(run -> assertTrue(seen.add(run), () -> "twice: " + run));
        int oneCut = length - 1;
        int twoCuts = (length - 1) * (length - 2) / 2;
        assertEquals(1 + oneCut + twoCuts + 1, seen.size());
        seen.forEach(run ->
                assertEquals(length, run.stream().mapToInt(Integer::intValue).sum()));
        assertTrue(seen.contains(List.of(1, 1, 1, 1, 1, 1)));
    }

    @Test
    void shouldReportTheFirstSplitThatDecodesDifferently() {
        AssertionError e = assertThrows(
                AssertionError.class,
                () -> DecoderSplitChecker.of(EachRead::new).check(ascii("abc")));
        assertEquals("""
                3 bytes cut before byte [1] decode differently, starting at outcome 0:
                  whole: 0x616263
                  cut:   0x61
                all outcomes
                  whole: [0x616263]
                  cut:   [0x61, 0x6263]""", e.getMessage());
    }

    @Test
    void shouldFindTheOnlySplitThatMatters() {
        Optional<String> report = DecoderSplitChecker.of(HalfLineEnds::new).firstDifference(ascii("ab\r\ncd\r\n"));
        assertTrue(report.orElseThrow().startsWith("8 bytes cut before byte [3] "), report::get);
        assertTrue(report.get().contains("  whole: cd\n"), report::get);
        assertEquals(Optional.empty(), DecoderSplitChecker.of(HalfLineEnds::new).firstDifference(ascii("abcd")));
    }

    @Test
    void shouldFindFaultsThatOnlyTwoSplitsShow() {
        Optional<String> report = DecoderSplitChecker.of(CountsReads::new).firstDifference(ascii("abcde"));
        assertTrue(report.orElseThrow().startsWith("5 bytes cut before byte [1, 2] "), report::get);
    }

    @Test
    void shouldFindFaultsThatOnlySingleBytesShow() {
        Optional<String> report = DecoderSplitChecker.of(() -> new SimpleChannelUpstreamHandler() {
                    private int reads;

                    @Override
                    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                        reads++;
                        if (reads == 4) {
                            throw new IllegalStateException("fourth");
                        }
                    }
                })
                .firstDifference(ascii("abcde"));
        assertTrue(report.orElseThrow().startsWith("5 bytes fed byte by byte "), report::get);
        assertTrue(report.get().contains("java.lang.IllegalStateException: fourth"), report::get);
    }

    @Test
    void shouldCompareFailuresAndMessagesOnClosing() {
        DecoderSplitChecker.of(() -> new LineBasedFrameDecoder(3)).check(ascii("one\nthree\ntwo\nrest"));
        Optional<String> onClosing = DecoderSplitChecker.of(() -> new FrameDecoder() {
                    private int reads;

                    @Override
                    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) {
                        reads++;
                        return null;
                    }

                    @Override
                    protected Object decodeLast(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) {
                        buffer.skipBytes(buffer.readableBytes());
                        return reads;
                    }
                })
                .firstDifference(ascii("ab"));
        assertTrue(onClosing.isPresent());
    }

    @Test
    void shouldCheckPipelinesAndCompareByAView() {
        DecoderSplitChecker.ofPipeline(
                        () -> new ChannelUpstreamHandler[] {new LineBasedFrameDecoder(80), new StringDecoder(US_ASCII)})
                .check(ascii("one\ntwo\r\n\nrest"));
        DecoderSplitChecker lengths = DecoderSplitChecker.of(EachRead::new).comparing(piece -> "a piece");
        assertTrue(lengths.firstDifference(ascii("ab")).isPresent(), "two pieces are different from one");
    }

    @Test
    void shouldJoinBuffersIfTheOutputIsAStream() {
        DecoderSplitChecker.of(EachRead::new).joiningBuffers().check(ascii("abcdef"));
    }

    @Test
    void shouldCompareArraysAndListsByElement() {
        for (Object product : new Object[] {
            new int[] {1, 2}, new Object[] {"a", new byte[] {1}}, List.of("x", new long[] {3}), new String[][] {{"a"}}
        }) {
            DecoderSplitChecker.of(() -> new FrameDecoder() {
                        @Override
                        protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) {
                            buffer.skipBytes(1);
                            return copy(product);
                        }
                    })
                    .check(ascii("abc"));
        }
    }

    private static Object copy(Object product) {
        if (product instanceof int[] ints) {
            return ints.clone();
        }
        if (product instanceof long[] longs) {
            return longs.clone();
        }
        if (product instanceof byte[] bytes) {
            return bytes.clone();
        }
        if (product instanceof Object[] objects) {
            Object[] copies = objects.clone();
            Arrays.setAll(copies, i -> copy(objects[i]));
            return copies;
        }
        return product instanceof List<?> list
                ? list.stream().map(DecoderSplitCheckerTest::copy).toList()
                : product;
    }

    @Test
    void shouldAcceptInputsOfAnyLength() {
        for (int length = 0; length < 5; length++) {
            DecoderSplitChecker.of(() -> new LineBasedFrameDecoder(80)).check(new byte[length]);
        }
    }

    @Test
    void shouldRefuseNull() {
        assertThrows(NullPointerException.class, () -> DecoderSplitChecker.of(null));
        assertThrows(NullPointerException.class, () -> DecoderSplitChecker.ofPipeline(null));
        assertThrows(
                NullPointerException.class,
                () -> DecoderSplitChecker.of(EachRead::new).comparing(null));
    }
}
