package org.freshet.handler.codec.frame;

import static org.freshet.handler.codec.frame.DigitDecoder.bytes;
import static org.freshet.handler.codec.frame.DigitDecoder.products;
import static org.freshet.handler.codec.frame.DigitDecoder.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.telemetry.Explain;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

/** The end of a connection during a read, and what arrives during and after the end. */
class FrameDecoderLastReadTest {
    /** Each letter is a frame; digits are not decoded until the end, where one of them is. */
    private static class Letters extends FrameDecoder {
        @Override
        protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
            char c = (char) buffer.getByte(buffer.readerIndex());
            if (c == '?') {
                throw new CorruptedFrameException("not read");
            }
            return Character.isDigit(c) ? null : text(buffer.readBytes(1));
        }

        @Override
        protected Object decodeLast(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
            return "last " + text(buffer.readBytes(1));
        }
    }

    /** Keeps what it receives, and then does what the test says; closes the channel if that fails. */
    private static final class Receiver extends SimpleChannelUpstreamHandler {
        final List<String> frames = new ArrayList<>();
        int failures;
        private final BiConsumer<ChannelHandlerContext, String> then;

        Receiver(BiConsumer<ChannelHandlerContext, String> then) {
            this.then = then;
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            frames.add(text(e.getMessage()));
            then.accept(ctx, text(e.getMessage()));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            failures++;
            e.getChannel().close();
        }
    }

    private static void fire(ChannelHandlerContext ctx, String read) {
        Channels.fireMessageReceived(ctx.getChannel(), bytes(read));
    }

    private static void endInput(Channel channel) {
        channel.getPipeline().sendUpstream(new InputShutdownEvent(channel));
    }

    // ---- the end during a read ----

    @Test
    void shouldDecodeTheLastBytesAfterTheReadInWhichAHandlerCloses() {
        Letters decoder = new Letters();
        Receiver receiver = new Receiver((ctx, frame) -> {
            if (frame.equals("a")) {
                ctx.getChannel().close();
            }
        });
        MemoryChannel.connected(decoder, receiver).receive(bytes("ab12"));
        assertEquals(List.of("a", "b", "last 1"), receiver.frames);
        assertEquals(1, decoder.undecodedBytes());
        assertNull(decoder.cumulation);
    }

    @Test
    void shouldDecodeReadsThatFramesCauseWhileItEnds() {
        Receiver receiver = new Receiver((ctx, frame) -> {
            switch (frame) {
                case "a" -> {
                    ctx.getChannel().close();
                    fire(ctx, "b");
                }
                case "b" -> fire(ctx, "c");
                case "c" -> fire(ctx, "d1");
                default -> {}
            }
        });
        MemoryChannel.connected(new Letters(), receiver).receive(bytes("a"));
        assertEquals(List.of("a", "b", "c", "d", "last 1"), receiver.frames);
    }

    @Test
    void shouldDecodeTheRestOfAReadThoughAHandlerFailsAfterTheClose() {
        Receiver receiver = new Receiver((ctx, frame) -> {
            if (frame.equals("a")) {
                ctx.getChannel().close();
            } else if (frame.equals("!")) {
                throw new IllegalStateException("too late to matter");
            }
        });
        MemoryChannel.connected(new Letters(), receiver).receive(bytes("a!b"));
        assertEquals(List.of("a", "!", "b"), receiver.frames);
        assertEquals(1, receiver.failures);
    }

    @Test
    void shouldNotDecodeTheLastBytesOnceAFailureHasClosedWhileItEnds() {
        Receiver receiver = new Receiver((ctx, frame) -> {
            if (frame.equals("a")) {
                endInput(ctx.getChannel());
                fire(ctx, "!1");
            } else if (frame.equals("!")) {
                throw new IllegalStateException("refused");
            }
        });
        MemoryChannel channel = MemoryChannel.connected(new Letters(), receiver);
        channel.receive(bytes("a"));
        channel.receive(bytes("b"));
        assertEquals(List.of("a", "!"), receiver.frames);
    }

    @Test
    void shouldHandOverWhatIsLeftWhenItIsRemovedWithItsLastFrame() {
        Receiver receiver = new Receiver((ctx, frame) -> {
            if (frame.equals("last 1")) {
                ctx.getPipeline().remove(Letters.class);
            }
        });
        MemoryChannel channel = MemoryChannel.connected(new Letters(), receiver);
        channel.receive(bytes("a12"));
        endInput(channel);
        assertEquals(List.of("a", "last 1", "2"), receiver.frames);
    }

    /** Frames are as long as the field says. */
    private static final class Cutting extends FrameDecoder {
        int frameBytes = Integer.MAX_VALUE;

        @Override
        protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) {
            return buffer.readableBytes() < frameBytes ? null : text(buffer.readBytes(frameBytes));
        }
    }

    @Test
    void shouldDecodeReadsThatTheFramesOfTheEndCause() {
        Cutting decoder = new Cutting();
        Receiver receiver = new Receiver((ctx, frame) -> {
            if (frame.equals("a")) {
                fire(ctx, "c");
                fire(ctx, "d");
            }
        });
        MemoryChannel channel = MemoryChannel.connected(decoder, receiver);
        channel.receive(bytes("ab"));
        decoder.frameBytes = 1;
        endInput(channel);
        assertEquals(List.of("a", "b", "c", "d"), receiver.frames);
    }

    /** Skips blanks, and makes a last frame of what is unread, even of nothing. */
    private static final class Summing extends FrameDecoder {
        private final boolean decodesEmpty;

        Summing(boolean decodesEmpty) {
            this.decodesEmpty = decodesEmpty;
        }

        @Override
        protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) {
            buffer.skipBytes(buffer.getByte(buffer.readerIndex()) == ' ' ? 1 : 0);
            return null;
        }

        @Override
        protected Object decodeLast(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) {
            return "last of " + text(buffer.readBytes(buffer.readableBytes()));
        }

        @Override
        protected boolean decodesLastWhenEmpty() {
            return decodesEmpty;
        }
    }

    @Test
    void shouldDecodeNothingAtTheEndOnlyIfTheDecoderAsksForIt() {
        for (boolean decodesEmpty : new boolean[] {true, false}) {
            DecoderEmbedder<Object> empty = new DecoderEmbedder<>(new Summing(decodesEmpty));
            empty.offer(bytes(" "));
            empty.finish();
            assertEquals(decodesEmpty ? List.of("last of ") : List.of(), products(empty));
            DecoderEmbedder<Object> some = new DecoderEmbedder<>(new Summing(decodesEmpty));
            some.offer(bytes("ab"));
            some.finish();
            assertEquals(List.of("last of ab"), products(some));
        }
    }

    // ---- after a failure ----

    @Test
    void shouldDecodeNothingMoreOnceItsLastFrameMadeAHandlerFailAndClose() {
        Receiver receiver = new Receiver((ctx, frame) -> {
            throw new IllegalStateException("refused");
        });
        MemoryChannel channel = MemoryChannel.connected(new Letters(), receiver);
        channel.receive(bytes("1"));
        endInput(channel);
        channel.receive(bytes("b"));
        assertEquals(List.of("last 1"), receiver.frames);
    }

    @Test
    void shouldNotDecodeTheLastBytesOnceAFrameOfTheEndMadeAHandlerFailAndClose() {
        Cutting decoder = new Cutting();
        Receiver receiver = new Receiver((ctx, frame) -> {
            throw new IllegalStateException("refused");
        });
        MemoryChannel channel = MemoryChannel.connected(decoder, receiver);
        channel.receive(bytes("ab"));
        decoder.frameBytes = 1;
        endInput(channel);
        assertEquals(List.of("a"), receiver.frames);
        assertEquals(1, decoder.undecodedBytes());
    }

    @Test
    void shouldDiscardTheRestOfAReadThatItFailsToDecodeAfterTheClose() {
        Letters decoder = new Letters() {
            @Override
            protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
                Object frame = super.decode(ctx, channel, buffer);
                if ("!".equals(frame)) {
                    throw new CorruptedFrameException("read");
                }
                return frame;
            }
        };
        Receiver receiver = new Receiver((ctx, frame) -> ctx.getChannel().close());
        MemoryChannel.connected(decoder, receiver).receive(bytes("a!bc"));
        assertEquals(List.of("a"), receiver.frames);
        assertEquals(1, receiver.failures);
        assertEquals(2, decoder.undecodedBytes());
    }

    @Test
    void shouldDecodeAgainAfterAnEndAtWhichItFailed() {
        Letters decoder = new Letters() {
            @Override
            protected Object decodeLast(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer)
                    throws Exception {
                throw new CorruptedFrameException("incomplete");
            }
        };
        MemoryChannel channel = MemoryChannel.connected(decoder);
        channel.receive(bytes("12"));
        endInput(channel);
        assertEquals(2, decoder.undecodedBytes());
        channel.receive(bytes("b"));
        assertEquals(List.of("b"), channel.takeReceived());
    }

    @Test
    void shouldHandOverWhatIsLeftWhenItRemovesItselfAndFailsAtTheEnd() {
        MemoryChannel channel = MemoryChannel.connected(new Letters() {
            @Override
            protected Object decodeLast(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer)
                    throws Exception {
                ctx.getPipeline().remove(this);
                throw new CorruptedFrameException("not mine");
            }
        });
        channel.receive(bytes("123"));
        endInput(channel);
        assertEquals(
                List.of("123"),
                channel.takeReceived().stream().map(DigitDecoder::text).toList());
    }

    @Test
    void shouldDiscardAtTheEndWhatFailedWithoutBeingRead() {
        Letters decoder = new Letters();
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(decoder);
        assertThrows(CodecEmbedderException.class, () -> embedder.offer(bytes("a?b")));
        embedder.finish();
        assertEquals(List.of("a"), products(embedder));
        assertNull(decoder.cumulation);
        assertEquals(2, embedder.undecodedBytes());
    }

    @Test
    void shouldKeepReadsThatWaitedWhenDecodingFailed() {
        Letters decoder = new Letters();
        MemoryChannel channel = MemoryChannel.connected(decoder, new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                fire(ctx, "bc");
            }
        });
        channel.receive(bytes("a?"));
        assertEquals(1, channel.takeCaught().size());
        assertEquals(3, decoder.undecodedBytes());
    }

    @Test
    void shouldForgetItsBytesAlsoWhenAnErrorEndsTheDecoding() {
        Letters decoder = new Letters() {
            @Override
            protected Object decodeLast(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) {
                throw new AssertionError("a fault of the decoder");
            }
        };
        MemoryChannel channel = MemoryChannel.connected(decoder);
        channel.receive(bytes("123"));
        endInput(channel);
        assertEquals(1, channel.takeCaught().size());
        assertNull(decoder.cumulation);
        assertEquals(3, decoder.undecodedBytes());
    }

    @Test
    void shouldHandOverItsBytesAlsoWhenAnErrorEndsTheDecoding() {
        MemoryChannel channel = MemoryChannel.connected(new Letters() {
            @Override
            protected Object decodeLast(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) {
                ctx.getPipeline().remove(this);
                throw new AssertionError("a fault of the decoder");
            }
        });
        channel.receive(bytes("123"));
        endInput(channel);
        assertEquals(
                List.of("123"),
                channel.takeReceived().stream().map(DigitDecoder::text).toList());
    }

    /** A decoder that handles failures itself and does not pass them on. */
    @Test
    void shouldStopWhenItsOwnExceptionCaughtCloses() {
        int[] failures = new int[1];
        FrameDecoder decoder = new FrameDecoder() {
            @Override
            protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
                buffer.skipBytes(1);
                throw new CorruptedFrameException("read");
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                failures[0]++;
                e.getChannel().close();
            }
        };
        MemoryChannel.connected(decoder).receive(bytes("abc"));
        assertEquals(1, failures[0]);
        assertEquals(2, decoder.undecodedBytes());
    }

    // ---- after the end ----

    @Test
    void shouldDecodeAgainAfterTheEnd() {
        MemoryChannel channel = MemoryChannel.connected(new Letters());
        channel.receive(bytes("a1"));
        endInput(channel);
        channel.receive(bytes("b"));
        assertEquals(List.of("a", "last 1", "b"), channel.takeReceived());
    }

    @Test
    void shouldForgetReadsThatItsLastFrameCauses() {
        Letters decoder = new Letters();
        DecoderEmbedder<Object> first = new DecoderEmbedder<>(decoder, new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                fire(ctx, "b");
                ctx.sendUpstream(e);
            }
        });
        first.offer(bytes("1"));
        first.finish();
        assertEquals(List.of("last 1"), products(first));
        DecoderEmbedder<Object> second = new DecoderEmbedder<>(decoder);
        second.offer(bytes("c"));
        assertEquals(List.of("c"), products(second));
    }

    @Test
    void shouldExplainHowManyBytesAreUnread() {
        MemoryChannel channel = MemoryChannel.connected(new DigitDecoder());
        assertTrue(explain(channel).contains("unread bytes: 0\n"), explain(channel));
        channel.receive(bytes("5ab"));
        assertTrue(explain(channel).contains("unread bytes: 3\n"), explain(channel));
    }

    private static String explain(Channel channel) {
        return Await.result(Explain.channel(channel), "the explanation");
    }
}
