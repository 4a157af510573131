package org.freshet.handler.codec.frame;

import static org.freshet.handler.codec.frame.DigitDecoder.bytes;
import static org.freshet.handler.codec.frame.DigitDecoder.products;
import static org.freshet.handler.codec.frame.DigitDecoder.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens to the remaining bytes when the decoder is removed or the connection ends. */
class FrameDecoderEndTest {
    @Test
    void shouldPassLeftoversToTheNextHandlerWhenRemoved() {
        DigitDecoder decoder = new DigitDecoder();
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(decoder);
        embedder.offer(bytes("1a5bc"));
        embedder.getPipeline().remove(decoder);
        embedder.offer(bytes("def"));
        assertEquals(List.of("a", "5bc", "def"), products(embedder));
        assertFalse(embedder.finish());
    }

    @Test
    void shouldPassLeftoversToTheReplacement() {
        DigitDecoder decoder = new DigitDecoder();
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(decoder);
        embedder.offer(bytes("1a5bc"));
        decoder.replace("lines", new LineBasedFrameDecoder(80));
        embedder.offer(bytes("d\ne\n"));
        assertEquals(List.of("a", "5bcd", "e"), products(embedder));
    }

    /** A protocol upgrade in the middle of a read, by a handler and by the decoder itself. */
    @Test
    void shouldPassTheTailOfTheReadToTheReplacementInOrder() {
        for (boolean atFirst : new boolean[] {true, false}) {
            for (int cut = 1; cut < 11; cut++) {
                DecoderEmbedder<Object> embedder = upgrading(atFirst);
                ChannelBuffer input = bytes("1a1!x\ny\n1z\n");
                embedder.offer(input.readBytes(cut));
                embedder.offer(input.readBytes(input.readableBytes()));
                assertEquals(List.of("a", "!", "x", "y", "1z"), products(embedder), "cut " + cut);
            }
        }
    }

    private static DecoderEmbedder<Object> upgrading(boolean atFirst) {
        SimpleChannelUpstreamHandler upgrade = new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                if (e.getMessage().equals("!")) {
                    ctx.getPipeline().replace(DigitDecoder.class, "lines", new LineBasedFrameDecoder(80));
                }
                ctx.sendUpstream(e);
            }
        };
        return atFirst
                ? new DecoderEmbedder<>(new DigitDecoder(), upgrade)
                : new DecoderEmbedder<>(new SimpleChannelUpstreamHandler(), new DigitDecoder(), upgrade);
    }

    @Test
    void shouldSendTheRestOfAnUnfoldedListBeforeTheTail() {
        FrameDecoder decoder = new FrameDecoder(true) {
            @Override
            protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) {
                buffer.skipBytes(1);
                ctx.getPipeline().remove(this);
                return List.of("a", "b", "c");
            }
        };
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(decoder);
        embedder.offer(bytes("xtail"));
        assertEquals(List.of("a", "b", "c", "tail"), products(embedder));
    }

    @Test
    void shouldSendTheTailToHandlersAddedAfterTheRemoval() {
        FrameDecoder decoder = new FrameDecoder() {
            @Override
            protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) {
                ChannelPipeline pipeline = ctx.getPipeline();
                pipeline.remove(this);
                pipeline.addFirst("lines", new LineBasedFrameDecoder(80));
                return null;
            }
        };
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(decoder);
        embedder.offer(bytes("a\nb\nc"));
        assertEquals(List.of("a", "b"), products(embedder));
        assertEquals(1, embedder.undecodedBytes());
    }

    @Test
    void shouldPassOnReadsThatArriveWhileItIsRemoved() {
        for (String firstRead : List.of("1!5bc", "1!")) {
            DecoderEmbedder<Object> embedder =
                    new DecoderEmbedder<>(new DigitDecoder(), new SimpleChannelUpstreamHandler() {
                        @Override
                        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                            ctx.sendUpstream(e);
                            if (e.getMessage().equals("!")) {
                                Channels.fireMessageReceived(e.getChannel(), bytes("de"));
                                ctx.getPipeline().remove(DigitDecoder.class);
                            }
                        }
                    });
            embedder.offer(bytes(firstRead));
            embedder.offer(bytes("f"));
            assertEquals("!" + firstRead.substring(2) + "def", String.join("", products(embedder)));
            assertFalse(embedder.finish());
        }
    }

    @Test
    void shouldPassOnReadsThatArriveWhileDecodeRemovesIt() {
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(new FrameDecoder() {
            @Override
            protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) {
                Channels.fireMessageReceived(channel, bytes("de"));
                ctx.getPipeline().remove(this);
                return null;
            }
        });
        embedder.offer(bytes("abc"));
        assertEquals("abcde", String.join("", products(embedder)));
    }

    @Test
    void shouldContinueWithTheReadWhenMoved() {
        DecoderEmbedder<Object> embedder =
                new DecoderEmbedder<>(new SimpleChannelUpstreamHandler(), new DigitDecoder() {
                    private boolean moved;

                    @Override
                    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer)
                            throws Exception {
                        if (!moved) {
                            moved = true;
                            ChannelPipeline pipeline = ctx.getPipeline();
                            pipeline.remove(this);
                            pipeline.addFirst("moved", this);
                        }
                        return super.decode(ctx, channel, buffer);
                    }
                });
        embedder.offer(bytes("1a1b3c"));
        embedder.offer(bytes("de"));
        assertEquals(List.of("a", "b", "cde"), products(embedder));
    }

    @Test
    void shouldBeReusableAfterRemoval() {
        DigitDecoder decoder = new DigitDecoder();
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(decoder);
        embedder.offer(bytes("5bc"));
        embedder.getPipeline().remove(decoder);
        embedder.poll();
        embedder.getPipeline().addFirst("again", decoder);
        embedder.offer(bytes("1a"));
        assertEquals(List.of("a"), products(embedder));
    }

    @Test
    void shouldForgetAnEarlierConnection() {
        List<FrameDecoder> decoders = List.of(
                new LineBasedFrameDecoder(2),
                new DelimiterBasedFrameDecoder(2, Delimiters.lineDelimiter()),
                new LengthFieldBasedFrameDecoder(3, 0, 1, 0, 1));
        for (FrameDecoder decoder : decoders) {
            DecoderEmbedder<Object> first = new DecoderEmbedder<>(decoder);
            first.offer(bytes("zzzzzzzz"));
            first.finish();
            DecoderEmbedder<Object> second = new DecoderEmbedder<>(decoder);
            second.offer(bytes(decoder instanceof LengthFieldBasedFrameDecoder ? "\1a\1b" : "a\nb\n"));
            assertEquals(List.of("a", "b"), products(second), decoder.getClass().getName());
        }
    }

    /** As a connected datagram channel does: it may disconnect and connect again. */
    @ParameterizedTest
    @ValueSource(strings = {"zz", "zzzzzzzz"})
    void shouldForgetAnEarlierConnectionOfTheSameChannel(String unfinished) {
        List<FrameDecoder> decoders = List.of(
                new LineBasedFrameDecoder(2),
                new DelimiterBasedFrameDecoder(2, Delimiters.lineDelimiter()),
                new LengthFieldBasedFrameDecoder(3, 0, 1, 0, 1));
        for (FrameDecoder decoder : decoders) {
            MemoryChannel channel = MemoryChannel.connected(decoder);
            channel.receive(bytes(unfinished));
            Channels.fireChannelDisconnected(channel);
            channel.takeCaught();
            channel.receive(bytes(decoder instanceof LengthFieldBasedFrameDecoder ? "\1a\1b" : "a\nb\n"));
            assertEquals(
                    List.of("a", "b"),
                    channel.takeReceived().stream().map(DigitDecoder::text).toList(),
                    decoder.getClass().getName());
        }
    }

    // ---- the end of the connection ----

    private static final class LastWords extends FrameDecoder {
        final List<String> calls = new ArrayList<>();

        @Override
        protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) {
            calls.add("decode " + buffer.readableBytes());
            return null;
        }

        @Override
        protected Object decodeLast(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) {
            calls.add("decodeLast " + buffer.readableBytes());
            return text(buffer.readBytes(2));
        }
    }

    @Test
    void shouldDecodeTheLastBytesOnceBeforeReportingTheEnd() {
        LastWords decoder = new LastWords();
        List<Object> seen = new ArrayList<>();
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(decoder, new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                seen.add(e.getMessage());
            }

            @Override
            public void channelDisconnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
                seen.add("disconnected");
            }

            @Override
            public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
                seen.add("closed");
            }
        });
        embedder.offer(bytes("abc"));
        embedder.finish();
        assertEquals(List.of("decode 3", "decode 3", "decodeLast 3"), decoder.calls);
        assertEquals(List.of("ab", "disconnected", "closed"), seen);
        assertEquals(1, embedder.undecodedBytes());
        assertNull(decoder.cumulation);
    }

    /** The connection may stay open: the peer still reads. */
    @Test
    void shouldDecodeTheLastBytesOnceWhenThePeerEndsItsOutput() {
        LastWords decoder = new LastWords();
        List<Object> seen = new ArrayList<>();
        MemoryChannel channel = MemoryChannel.connected(decoder, new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                seen.add(e.getMessage());
            }

            @Override
            public void inputShutdown(ChannelHandlerContext ctx, InputShutdownEvent e) {
                seen.add("input shut down");
            }

            @Override
            public void channelDisconnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
                seen.add("disconnected");
            }
        });
        channel.receive(bytes("abc"));
        channel.getPipeline().sendUpstream(new InputShutdownEvent(channel));
        assertEquals(List.of("decode 3", "decode 3", "decodeLast 3"), decoder.calls);
        assertEquals(List.of("ab", "input shut down"), seen);
        assertEquals(1, decoder.undecodedBytes());
        channel.close();
        assertEquals(List.of("decode 3", "decode 3", "decodeLast 3"), decoder.calls);
        assertEquals(List.of("ab", "input shut down", "disconnected"), seen);
    }

    @Test
    void shouldReportTheEndEvenIfTheLastBytesAreBad() {
        List<String> seen = new ArrayList<>();
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(
                new FrameDecoder() {
                    @Override
                    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) {
                        return null;
                    }

                    @Override
                    protected Object decodeLast(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer)
                            throws Exception {
                        throw new CorruptedFrameException("last");
                    }
                },
                new SimpleChannelUpstreamHandler() {
                    @Override
                    public void channelDisconnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
                        seen.add("disconnected");
                    }
                });
        embedder.offer(bytes("abc"));
        CodecEmbedderException e = assertThrows(CodecEmbedderException.class, embedder::finish);
        assertEquals(CorruptedFrameException.class, e.getCause().getClass());
        assertEquals(List.of("disconnected"), seen);
    }

    @Test
    void shouldDecodeTheRemainingBytesWhenAHandlerClosesTheChannel() {
        DecoderEmbedder<String> embedder =
                new DecoderEmbedder<>(new DigitDecoder(), new SimpleChannelUpstreamHandler() {
                    @Override
                    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                        e.getChannel().close();
                        ctx.sendUpstream(e);
                    }
                });
        embedder.offer(bytes("1a1b9c"));
        assertEquals(List.of("a", "b"), products(embedder));
        assertEquals(2, embedder.undecodedBytes());
    }
}
