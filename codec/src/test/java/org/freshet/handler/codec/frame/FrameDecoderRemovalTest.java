package org.freshet.handler.codec.frame;

import static org.freshet.handler.codec.frame.DigitDecoder.bytes;
import static org.freshet.handler.codec.frame.DigitDecoder.products;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.UpstreamMessageEvent;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

/** Where the unread bytes go when a decoder is removed at an unusual moment or from an unusual place. */
class FrameDecoderRemovalTest {
    private static List<String> received(MemoryChannel channel) {
        return channel.takeReceived().stream().map(DigitDecoder::text).toList();
    }

    @Test
    void shouldNotShowUnreadBytesToEarlierHandlersAgain() {
        List<String> seen = new ArrayList<>();
        DigitDecoder decoder = new DigitDecoder();
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(
                new SimpleChannelUpstreamHandler() {
                    @Override
                    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                        seen.add(DigitDecoder.text(e.getMessage()));
                        ctx.sendUpstream(e);
                    }
                },
                decoder);
        embedder.offer(bytes("1a5bc"));
        embedder.getPipeline().remove(decoder);
        assertEquals(List.of("1a5bc"), seen);
        assertEquals(List.of("a", "5bc"), products(embedder));
    }

    @Test
    void shouldSendNoEmptyMessageWhenNothingIsUnread() {
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(new FrameDecoder() {
            @Override
            protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) {
                ctx.getPipeline().remove(this);
                return DigitDecoder.text(buffer.readBytes(buffer.readableBytes()));
            }
        });
        embedder.offer(bytes("all"));
        assertEquals(List.of("all"), products(embedder));
    }

    @Test
    void shouldPassOnAReadThatArrivesAfterTheRemoval() throws Exception {
        DigitDecoder decoder = new DigitDecoder();
        MemoryChannel channel = MemoryChannel.connected(decoder);
        ChannelHandlerContext former = channel.context(decoder);
        channel.getPipeline().remove(decoder);
        decoder.handleUpstream(former, new UpstreamMessageEvent(channel, bytes("1a"), channel.getRemoteAddress()));
        assertEquals(List.of("1a"), received(channel));
    }

    @Test
    void shouldHandOverOnTheChannelsThreadWhenAnotherThreadRemovesIt() {
        DigitDecoder decoder = new DigitDecoder();
        MemoryChannel channel = MemoryChannel.connected(decoder);
        channel.receive(bytes("5ab"));
        channel.holdTasks();
        channel.getPipeline().remove(decoder);
        assertEquals(List.of(), received(channel));
        channel.runTasks();
        assertEquals(List.of("5ab"), received(channel));
    }

    @Test
    void shouldKeepItsBytesWhenItIsAddedAgainBeforeTheRemovalTakesEffect() {
        DigitDecoder decoder = new DigitDecoder();
        MemoryChannel channel = MemoryChannel.connected(decoder);
        channel.holdTasks();
        channel.getPipeline().remove(decoder);
        channel.getPipeline().addFirst("again", decoder);
        channel.receive(bytes("2a"));
        channel.runTasks();
        channel.receive(bytes("b"));
        assertEquals(List.of("ab"), received(channel));
    }

    @Test
    void shouldGoOnDiscardingALongFrameWhenAnotherThreadMovesIt() {
        LineBasedFrameDecoder decoder = new LineBasedFrameDecoder(2);
        MemoryChannel channel = MemoryChannel.connected(decoder);
        channel.receive(bytes("zzzz"));
        channel.holdTasks();
        channel.getPipeline().remove(decoder);
        channel.getPipeline().addFirst("again", decoder);
        channel.runTasks();
        channel.receive(bytes("zz\na\n"));
        assertEquals(List.of("a"), received(channel));
        assertEquals("frame length > 2: 6", channel.takeCaught().get(0).getMessage());
    }

    /** The read found the former context before another thread moved the decoder. */
    @Test
    void shouldStayWhereItWasMovedAfterALateReadInItsFormerPlace() throws Exception {
        DigitDecoder decoder = new DigitDecoder();
        MemoryChannel channel = MemoryChannel.connected(decoder);
        ChannelHandlerContext former = channel.context(decoder);
        channel.holdTasks();
        channel.getPipeline().remove(decoder);
        channel.getPipeline().addFirst("again", decoder);
        decoder.handleUpstream(former, new UpstreamMessageEvent(channel, bytes("1a2b"), channel.getRemoteAddress()));
        channel.runTasks();
        channel.receive(bytes("c1d"));
        assertEquals(List.of("a", "bc", "d"), received(channel));
    }

    @Test
    void shouldBeConfigurableAgainOnceRemovedFromAPipelineWithoutAChannel() {
        DigitDecoder decoder = new DigitDecoder();
        ChannelPipeline pipeline = Channels.pipeline(decoder);
        assertThrows(IllegalStateException.class, () -> decoder.setUnfold(true));
        pipeline.remove(decoder);
        assertDoesNotThrow(() -> decoder.setUnfold(true));
    }

    @Test
    void shouldNotBeConfigurableFromTheMomentItIsAdded() {
        for (FrameDecoder decoder : List.of(
                new LineBasedFrameDecoder(9),
                new DelimiterBasedFrameDecoder(9, Delimiters.nulDelimiter()),
                new LengthFieldBasedFrameDecoder(9, 0, 1))) {
            Channels.pipeline(decoder);
            assertThrows(IllegalStateException.class, () -> decoder.setUnfold(true), decoder.toString());
        }
    }

    /** A handler may keep a decoder to itself, outside the pipeline. */
    @Test
    void shouldDecodeForAHandlerThatWrapsIt() {
        DigitDecoder decoder = new DigitDecoder();
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
                decoder.messageReceived(ctx, e);
            }
        });
        for (String read : List.of("3", "a", "bc1", "d")) {
            embedder.offer(bytes(read));
        }
        assertEquals(List.of("abc", "d"), products(embedder));
    }

    @Test
    void shouldPassReadsOnOnceTheHandlerThatWrapsItIsGone() throws Exception {
        DigitDecoder decoder = new DigitDecoder();
        SimpleChannelUpstreamHandler wrapper = new SimpleChannelUpstreamHandler();
        MemoryChannel channel = MemoryChannel.connected(wrapper);
        ChannelHandlerContext ctx = channel.context(wrapper);
        decoder.afterRemove(ctx);
        decoder.messageReceived(ctx, new UpstreamMessageEvent(channel, bytes("1a"), channel.getRemoteAddress()));
        assertEquals(List.of("1a"), received(channel));
    }

    // ---- failures ----

    @Test
    void shouldDiscardUnreadBytesWhenItRemovesItselfAndItsFailureCloses() {
        FrameDecoder decoder = new FrameDecoder() {
            @Override
            protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
                buffer.skipBytes(1);
                ctx.getPipeline().remove(this);
                throw new CorruptedFrameException("read");
            }
        };
        AtFirst handler = new AtFirst() {
            @Override
            void onA(ChannelHandlerContext ctx) {}
        };
        MemoryChannel channel = MemoryChannel.connected(decoder, handler);
        channel.receive(bytes("xa"));
        assertFalse(channel.isOpen());
        assertEquals(List.of(), handler.seen);
    }

    /** Makes three frames of each byte. */
    private static final class ThreeLetters extends FrameDecoder {
        ThreeLetters() {
            super(true);
        }

        @Override
        protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) {
            buffer.skipBytes(1);
            return List.of("a", "b", "c");
        }
    }

    /** Does something when it receives "a"; closes the channel at a failure, unless told not to. */
    private abstract static class AtFirst extends SimpleChannelUpstreamHandler {
        final List<String> seen = new ArrayList<>();
        boolean closes = true;

        abstract void onA(ChannelHandlerContext ctx);

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            seen.add(DigitDecoder.text(e.getMessage()));
            if (e.getMessage().equals("a")) {
                onA(ctx);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            if (closes) {
                e.getChannel().close();
            }
        }
    }

    @Test
    void shouldDiscardUnreadBytesWhenItIsRemovedAfterAFailureHasClosed() {
        AtFirst handler = new AtFirst() {
            @Override
            void onA(ChannelHandlerContext ctx) {
                Channels.fireExceptionCaught(ctx.getChannel(), new IllegalStateException("refused"));
                ctx.getPipeline().remove(ThreeLetters.class);
            }
        };
        MemoryChannel channel = MemoryChannel.connected(new ThreeLetters(), handler);
        channel.receive(bytes("xtail"));
        assertEquals(List.of("a"), handler.seen);
    }

    /** Removes the decoder at "a", and then does something else. */
    private static AtFirst removing(Class<? extends FrameDecoder> decoder, Consumer<Channel> afterwards) {
        return new AtFirst() {
            @Override
            void onA(ChannelHandlerContext ctx) {
                ctx.getPipeline().remove(decoder);
                afterwards.accept(ctx.getChannel());
            }
        };
    }

    private static void refuse(Channel channel) {
        throw new IllegalStateException("refused");
    }

    @Test
    void shouldDiscardUnreadBytesAndFramesWhenItsRemoverThrowsAndCloses() {
        AtFirst ofFrame = removing(DigitDecoder.class, FrameDecoderRemovalTest::refuse);
        MemoryChannel.connected(new DigitDecoder(), ofFrame).receive(bytes("1a1b"));
        assertEquals(List.of("a"), ofFrame.seen);

        AtFirst ofList = removing(ThreeLetters.class, FrameDecoderRemovalTest::refuse);
        MemoryChannel.connected(new ThreeLetters(), ofList).receive(bytes("xtail"));
        assertEquals(List.of("a"), ofList.seen);
    }

    @Test
    void shouldDiscardUnreadBytesWhenItsRemoverCloses() {
        AtFirst handler = removing(DigitDecoder.class, Channel::close);
        MemoryChannel.connected(new DigitDecoder(), handler).receive(bytes("1a1b"));
        assertEquals(List.of("a"), handler.seen);
    }

    @Test
    void shouldPassOnUnreadBytesWhenItsRemoverThrowsAndKeepsTheChannelOpen() {
        AtFirst handler = removing(DigitDecoder.class, FrameDecoderRemovalTest::refuse);
        handler.closes = false;
        MemoryChannel.connected(new DigitDecoder(), handler).receive(bytes("1a1b"));
        assertEquals(List.of("a", "1b"), handler.seen);
    }

    @Test
    void shouldPassOnUnreadBytesWhenItIsRemovedFromAChannelBeingClosed() {
        AtFirst handler = new AtFirst() {
            @Override
            void onA(ChannelHandlerContext ctx) {
                ctx.getChannel().close();
                ctx.getPipeline().remove(DigitDecoder.class);
            }
        };
        MemoryChannel.connected(new DigitDecoder(), handler).receive(bytes("1a1b"));
        assertEquals(List.of("a", "1b"), handler.seen);
    }
}
