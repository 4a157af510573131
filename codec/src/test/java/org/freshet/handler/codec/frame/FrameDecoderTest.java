package org.freshet.handler.codec.frame;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.handler.codec.frame.DigitDecoder.bytes;
import static org.freshet.handler.codec.frame.DigitDecoder.products;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.buffer.CompositeChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.internal.lending.Lending;
import org.junit.jupiter.api.Test;

class FrameDecoderTest {
    // ---- keeping bytes ----

    @Test
    void shouldDecodeWholeFramesFromTheReadItself() {
        DigitDecoder decoder = new DigitDecoder();
        DecoderEmbedder<String> embedder = new DecoderEmbedder<>(decoder);
        ChannelBuffer read = bytes("1a2bc0");
        embedder.offer(read);
        assertEquals(List.of("a", "bc", ""), products(embedder));
        decoder.shown.forEach(buffer -> assertSame(read, buffer));
        assertNull(decoder.cumulation());
        assertEquals(0, decoder.copiedBytes);
    }

    @Test
    void shouldContinueInALongReadAfterAFrameThatStraddlesReads() {
        DigitDecoder decoder = new DigitDecoder();
        DecoderEmbedder<String> embedder = new DecoderEmbedder<>(decoder);
        embedder.offer(bytes("5ab"));
        ChannelBuffer read = bytes("cde" + "9123456789".repeat(1000));
        embedder.offer(read);
        assertEquals(1001, embedder.size());
        assertEquals("abcde", embedder.poll());
        assertTrue(decoder.shown.get(1) instanceof CompositeChannelBuffer);
        decoder.shown.subList(2, 1002).forEach(buffer -> assertSame(read, buffer));
        assertEquals(0, decoder.copiedBytes);
    }

    @Test
    void shouldCopyLittleWhenFramesArriveByteByByte() {
        FrameDecoder[] decoders = new FrameDecoder[1];
        long[] copied = new long[1];
        int length = 200_000;
        decoders[0] = new FixedLengthFrameDecoder(length) {
            @Override
            protected ChannelBuffer newCumulationBuffer(ChannelHandlerContext ctx, int minimumCapacity) {
                copied[0] += cumulation.readableBytes();
                return super.newCumulationBuffer(ctx, minimumCapacity);
            }
        };
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(decoders[0]);
        ChannelBuffer one = bytes("x");
        for (int i = 0; i < length; i++) {
            embedder.offer(one.duplicate());
        }
        assertEquals(length, embedder.poll().readableBytes());
        assertTrue(copied[0] <= 2L * length, "copied " + copied[0]);
    }

    @Test
    void shouldCopyLittleWhenAFrameArrivesInManyLongReads() {
        long[] copied = new long[1];
        int pieces = 5000;
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(new FixedLengthFrameDecoder(pieces * 1100) {
            @Override
            protected ChannelBuffer newCumulationBuffer(ChannelHandlerContext ctx, int minimumCapacity) {
                copied[0] += cumulation.readableBytes();
                assertTrue(
                        !(cumulation instanceof CompositeChannelBuffer composite)
                                || composite.numComponents() <= DEFAULT_MAX_COMPOSITEBUFFER_COMPONENTS,
                        "components");
                return super.newCumulationBuffer(ctx, minimumCapacity);
            }
        });
        ChannelBuffer piece = ChannelBuffers.wrappedBuffer(new byte[1100]);
        for (int i = 0; i < pieces; i++) {
            embedder.offer(piece.duplicate());
        }
        assertEquals(pieces * 1100, embedder.poll().readableBytes());
        assertTrue(copied[0] > 0 && copied[0] <= 2L * pieces * 1100, "copied " + copied[0]);
    }

    @Test
    void shouldJoinAsManyReadsAsAllowed() {
        DigitDecoder unused = new DigitDecoder();
        assertEquals(FrameDecoder.DEFAULT_MAX_COMPOSITEBUFFER_COMPONENTS, unused.getMaxCumulationBufferComponents());
        int[] most = new int[1];
        FrameDecoder decoder = new FixedLengthFrameDecoder(100_000) {
            @Override
            protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
                if (buffer instanceof CompositeChannelBuffer composite) {
                    most[0] = Math.max(most[0], composite.numComponents());
                }
                return super.decode(ctx, channel, buffer);
            }
        };
        decoder.setMaxCumulationBufferComponents(3);
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(decoder);
        for (int i = 0; i < 50; i++) {
            embedder.offer(ChannelBuffers.wrappedBuffer(new byte[2000]));
        }
        assertEquals(1, embedder.size());
        assertEquals(3, most[0]);
    }

    @Test
    void shouldNotKeepALargeReadForItsLastBytes() {
        DigitDecoder decoder = new DigitDecoder();
        DecoderEmbedder<String> embedder = new DecoderEmbedder<>(decoder);
        ChannelBuffer read = bytes("9123456789".repeat(1000) + "9abc");
        embedder.offer(read);
        assertNotSame(read, decoder.cumulation());
        assertTrue(
                decoder.cumulation().capacity() <= 256,
                "capacity " + decoder.cumulation().capacity());
        assertEquals(4, embedder.undecodedBytes());
    }

    @Test
    void shouldKeepAReadUpToTheConfiguredCapacity() {
        DigitDecoder decoder = new DigitDecoder();
        decoder.setMaxCumulationBufferCapacity(100_000);
        DecoderEmbedder<String> embedder = new DecoderEmbedder<>(decoder);
        ChannelBuffer read = bytes("9123456789".repeat(1000) + "9abc");
        embedder.offer(read);
        assertSame(read, decoder.cumulation());
    }

    @Test
    void shouldReleaseMemoryWhenNothingIsLeft() {
        DigitDecoder decoder = new DigitDecoder();
        DecoderEmbedder<String> embedder = new DecoderEmbedder<>(decoder);
        for (String piece : List.of("3", "a", "b", "c")) {
            embedder.offer(bytes(piece));
        }
        assertEquals("abc", embedder.poll());
        assertNull(decoder.cumulation());
    }

    @Test
    void shouldShrinkAfterALargeFrame() {
        DigitDecoder counter = new DigitDecoder();
        FrameDecoder decoder = new FrameDecoder() {
            private boolean large = true;

            @Override
            protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) {
                if (!large || buffer.readableBytes() < 100_000) {
                    return null;
                }
                large = false;
                counter.shown.add(buffer);
                return buffer.readBytes(100_000);
            }

            @Override
            protected ChannelBuffer updateCumulation(ChannelHandlerContext ctx, ChannelBuffer input) {
                ChannelBuffer kept = super.updateCumulation(ctx, input);
                counter.copiedBytes = kept.capacity();
                return kept;
            }
        };
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(decoder);
        for (int i = 0; i < 1000; i++) {
            embedder.offer(ChannelBuffers.wrappedBuffer(new byte[101]));
        }
        assertEquals(1, embedder.size());
        assertTrue(
                counter.copiedBytes <= 4096,
                "keeps " + counter.copiedBytes + " bytes for " + embedder.undecodedBytes());
    }

    @Test
    void shouldReadNumbersInTheByteOrderOfTheReadsHoweverTheyAreSplit() {
        for (int cut = 1; cut < 8; cut++) {
            DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(new LengthFieldBasedFrameDecoder(99, 0, 4));
            ChannelBuffer frame = ChannelBuffers.buffer(ByteOrder.LITTLE_ENDIAN, 8);
            frame.writeInt(4);
            frame.writeInt(77);
            embedder.offer(frame.slice(0, cut));
            embedder.offer(frame.slice(cut, 8 - cut));
            assertEquals(frame, embedder.poll());
        }
    }

    @Test
    void shouldNotOverwriteFramesThatAreSlices() {
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(new FrameDecoder() {
            @Override
            protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) {
                return buffer.readableBytes() < 3 ? null : buffer.readSlice(3);
            }
        });
        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < 3000; i++) {
            String piece = String.valueOf((char) ('a' + i % 26));
            expected.append(piece);
            embedder.offer(bytes(piece));
        }
        StringBuilder actual = new StringBuilder();
        products(embedder).forEach(actual::append);
        assertEquals(expected.toString(), actual.toString());
    }

    @Test
    void shouldDeliverFramesWhoseArrayIsTheFrame() {
        assumeTrue(Lending.MODE != Lending.CHECK, "the offered buffer is lent");
        DecoderEmbedder<ChannelBuffer> embedder = new DecoderEmbedder<>(new FixedLengthFrameDecoder(3));
        ChannelBuffer whole = bytes("abc");
        embedder.offer(whole);
        ChannelBuffer uncopied = embedder.poll();
        assertSame(whole.array(), uncopied.array());
        embedder.offer(bytes("abcdef"));
        ChannelBuffer copied = embedder.poll();
        assertEquals(0, copied.arrayOffset());
        assertArrayEquals("abc".getBytes(US_ASCII), copied.array());
    }

    // ---- unfolding and order ----

    @Test
    void shouldUnfoldListsAndArraysOnlyIfConfigured() {
        for (Object list : new Object[] {List.of("a", "b"), new Object[] {"a", "b"}}) {
            assertEquals(List.of("a", "b"), List.of(decodeOne(list, true).pollAll()));
            assertSame(list, decodeOne(list, false).poll());
        }
    }

    private static DecoderEmbedder<Object> decodeOne(Object result, boolean unfold) {
        FrameDecoder decoder = new FrameDecoder() {
            @Override
            protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) {
                buffer.skipBytes(1);
                return result;
            }
        };
        decoder.setUnfold(unfold);
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(decoder);
        embedder.offer(bytes("x"));
        return embedder;
    }

    @Test
    void shouldDecodeReadsTriggeredByFramesAfterTheCurrentRead() {
        DecoderEmbedder<String> embedder =
                new DecoderEmbedder<>(new DigitDecoder(), new SimpleChannelUpstreamHandler() {
                    @Override
                    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                        ctx.sendUpstream(e);
                        if (e.getMessage().equals("a")) {
                            Channels.fireMessageReceived(e.getChannel(), bytes("3x"));
                            Channels.fireMessageReceived(e.getChannel(), bytes("yz"));
                        }
                    }
                });
        embedder.offer(bytes("1a1b1c"));
        assertEquals(List.of("a", "b", "c", "xyz"), products(embedder));
    }

    @Test
    void shouldAppendToUnreadBytesOnly() {
        List<Integer> unread = new ArrayList<>();
        DigitDecoder decoder = new DigitDecoder() {
            @Override
            protected ChannelBuffer appendToCumulation(ChannelBuffer input) {
                unread.add(cumulation.readableBytes());
                return super.appendToCumulation(input);
            }
        };
        DecoderEmbedder<String> embedder = new DecoderEmbedder<>(decoder, new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                ctx.sendUpstream(e);
                if (e.getMessage().equals("a")) {
                    Channels.fireMessageReceived(e.getChannel(), bytes("2b"));
                }
            }
        });
        embedder.offer(bytes("1"));
        embedder.offer(bytes("a"));
        embedder.offer(bytes("c"));
        assertEquals(List.of("a", "bc"), products(embedder));
        assertEquals(List.of(1, 2), unread, "a read is no continuation if nothing is unread");
    }

    // ---- failures ----

    private static final class Picky extends FrameDecoder {
        @Override
        protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
            char c = (char) buffer.getByte(buffer.readerIndex());
            if (c == '?') {
                throw new CorruptedFrameException("not read");
            }
            buffer.skipBytes(1);
            if (c == '!') {
                throw new CorruptedFrameException("read");
            }
            return String.valueOf(c);
        }
    }

    @Test
    void shouldContinueAfterTheBytesThatAFailedCallHasRead() {
        DecoderEmbedder<String> embedder = new DecoderEmbedder<>(new Picky());
        CodecEmbedderException e = assertThrows(CodecEmbedderException.class, () -> embedder.offer(bytes("ab!c!d")));
        assertEquals("read", e.getCause().getMessage());
        assertEquals("read", e.getSuppressed()[0].getMessage());
        assertEquals(List.of("a", "b", "c", "d"), products(embedder));
    }

    @Test
    void shouldWaitForMoreWhenAFailedCallReadNothing() {
        DecoderEmbedder<String> embedder = new DecoderEmbedder<>(new Picky());
        assertThrows(CodecEmbedderException.class, () -> embedder.offer(bytes("a?b")));
        assertThrows(CodecEmbedderException.class, () -> embedder.offer(bytes("c")));
        assertEquals(List.of("a"), products(embedder));
        assertEquals(3, embedder.undecodedBytes());
    }

    @Test
    void shouldNotDecodeAgainAtTheEndAfterAFailureWithoutReading() {
        DecoderEmbedder<String> embedder = new DecoderEmbedder<>(new Picky());
        assertThrows(CodecEmbedderException.class, () -> embedder.offer(bytes("a?b")));
        embedder.finish(); // would throw otherwise
        assertEquals(List.of("a"), products(embedder));
    }

    @Test
    void shouldStopAfterAFailureThatClosedTheChannel() {
        int[] failures = new int[1];
        DecoderEmbedder<String> embedder = new DecoderEmbedder<>(new Picky(), new SimpleChannelUpstreamHandler() {
            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, org.freshet.channel.ExceptionEvent e) {
                failures[0]++;
                e.getChannel().close();
            }
        });
        embedder.offer(bytes("a!!!!!!!!"));
        assertEquals(1, failures[0]);
        assertEquals(7, embedder.undecodedBytes());
    }

    @Test
    void shouldRefuseAFrameDecodedWithoutReading() {
        DecoderEmbedder<String> embedder = new DecoderEmbedder<>(new FrameDecoder() {
            @Override
            protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) {
                return "again";
            }
        });
        CodecEmbedderException e = assertThrows(CodecEmbedderException.class, () -> embedder.offer(bytes("a")));
        assertEquals(IllegalStateException.class, e.getCause().getClass());
        assertTrue(e.getMessage().contains("read nothing"), e.getMessage());
    }

    @Test
    void shouldRefuseToBeConfiguredInAPipelineAndBadValuesAnywhere() {
        DigitDecoder decoder = new DigitDecoder();
        assertThrows(IllegalArgumentException.class, () -> decoder.setMaxCumulationBufferCapacity(-1));
        assertThrows(IllegalArgumentException.class, () -> decoder.setMaxCumulationBufferComponents(1));
        assertThrows(IllegalStateException.class, () -> decoder.replace("x", new DigitDecoder()));
        new DecoderEmbedder<>(decoder);
        assertThrows(IllegalStateException.class, () -> decoder.setUnfold(true));
        assertThrows(IllegalStateException.class, () -> decoder.setMaxCumulationBufferCapacity(1));
        assertThrows(IllegalStateException.class, () -> decoder.setMaxCumulationBufferComponents(2));
    }

    @Test
    void shouldDescribeItsConfiguration() {
        DigitDecoder decoder = new DigitDecoder();
        assertFalse(decoder.isUnfold());
        assertEquals(0, decoder.getMaxCumulationBufferCapacity());
        decoder.setUnfold(true);
        decoder.setMaxCumulationBufferCapacity(7);
        decoder.setMaxCumulationBufferComponents(2);
        assertTrue(decoder.isUnfold());
        assertEquals(7, decoder.getMaxCumulationBufferCapacity());
        assertEquals(2, decoder.getMaxCumulationBufferComponents());
        decoder.setMaxCumulationBufferCapacity(0);
        assertEquals(0, decoder.getMaxCumulationBufferCapacity());
    }

    @Test
    void shouldReportHowManyBytesAreBuffered() {
        DigitDecoder decoder = new DigitDecoder();
        DecoderEmbedder<String> embedder = new DecoderEmbedder<>(decoder);
        assertEquals(0, decoder.actualReadableBytes());
        embedder.offer(bytes("5ab"));
        assertEquals(3, decoder.actualReadableBytes());
    }

    @Test
    void shouldDecodeTheLastBytesLikeTheOthersUnlessASubclassOverridesIt() {
        FrameDecoder decoder = new FrameDecoder() {
            private int calls;

            @Override
            protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) {
                if (++calls < 3) { // for the read, and once more before the end
                    return null;
                }
                return buffer.readBytes(buffer.readableBytes()).toString(US_ASCII);
            }
        };
        DecoderEmbedder<String> embedder = new DecoderEmbedder<>(decoder);
        embedder.offer(bytes("rest"));
        embedder.finish();
        assertEquals(List.of("rest"), products(embedder));
    }

    @Test
    void shouldPassOtherMessagesAndIgnoreEmptyReads() {
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(new DigitDecoder());
        embedder.offer("not a buffer");
        embedder.offer(ChannelBuffers.EMPTY_BUFFER);
        assertEquals(List.of("not a buffer"), products(embedder));
    }
}
