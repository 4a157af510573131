package org.freshet.handler.codec.oneone;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.OutputShutdown;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.compression.JdkZlibEncoder;
import org.freshet.handler.codec.compression.ZlibDecoder;
import org.freshet.handler.codec.compression.ZlibEncoder;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.freshet.handler.codec.serialization.CompatibleObjectEncoder;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OneToOneTest {
    /** Doubles integers, drops "drop", throws on "throw", passes everything else. */
    private static Object convert(Object msg) {
        if (msg instanceof Integer number) {
            return 2 * number;
        }
        if (msg.equals("throw")) {
            throw new IllegalArgumentException("bad message");
        }
        return msg.equals("drop") ? null : msg;
    }

    private static final class Decoder extends OneToOneDecoder {
        @Override
        protected Object decode(ChannelHandlerContext ctx, Channel channel, Object msg) {
            return convert(msg);
        }
    }

    private static final class Encoder extends OneToOneEncoder {
        @Override
        protected Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) {
            return convert(msg);
        }
    }

    private static final class StrictEncoder extends OneToOneStrictEncoder {
        @Override
        protected Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) {
            return convert(msg);
        }
    }

    @Test
    void shouldDecodeDropAndPassMessages() {
        List<ChannelEvent> events = new ArrayList<>();
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(new Decoder(), new SimpleChannelUpstreamHandler() {
            @Override
            public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
                events.add(e);
                super.handleUpstream(ctx, e);
            }
        });
        assertTrue(events.stream().allMatch(ChannelStateEvent.class::isInstance), "state events pass");
        assertEquals(3, events.size());
        embedder.offer(21);
        embedder.offer("drop");
        String text = new String("left unchanged");
        embedder.offer(text);
        assertEquals(42, embedder.poll());
        assertSame(text, embedder.poll());
        assertEquals(0, embedder.size());
    }

    @Test
    void shouldKeepTheSenderOfADecodedMessage() {
        List<Object> senders = new ArrayList<>();
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(new Decoder(), new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                senders.add(e.getRemoteAddress());
            }
        });
        java.net.SocketAddress sender = new java.net.InetSocketAddress(7);
        Channels.fireMessageReceived(embedder.getPipeline().getChannel(), 1, sender);
        assertEquals(List.of(sender), senders);
    }

    @Test
    void shouldReportADecodersExceptionAndContinue() {
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(new Decoder());
        CodecEmbedderException e = assertThrows(CodecEmbedderException.class, () -> embedder.offer("throw"));
        assertEquals("bad message", e.getCause().getMessage());
        embedder.offer(1);
        assertEquals(2, embedder.poll());
    }

    @Test
    void shouldEncodeDropAndPassMessagesAndCompleteTheirFutures() {
        for (OneToOneEncoder encoder : List.of(new Encoder(), new StrictEncoder())) {
            EncoderEmbedder<Object> embedder = new EncoderEmbedder<>(encoder);
            Channel channel = embedder.getPipeline().getChannel();
            List<ChannelFuture> futures = new ArrayList<>();
            for (Object message : new Object[] {21, "drop", "left"}) {
                futures.add(channel.write(message));
            }
            assertEquals(List.of(42, "left"), List.of(embedder.pollAll()));
            futures.forEach(future -> assertTrue(future.isSuccess()));
            ChannelFuture failed = channel.write("throw");
            assertFalse(failed.isSuccess());
            assertEquals("bad message", failed.getCause().getMessage());
            channel.write(1);
            assertEquals(2, embedder.poll(), "a failed message holds no lock");
        }
    }

    /** Numbers messages when they are encoded, and yields so that other threads may overtake. */
    private static final class Numbering extends OneToOneStrictEncoder {
        private final AtomicInteger next = new AtomicInteger();

        @Override
        protected Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) {
            int number = next.getAndIncrement();
            Thread.yield();
            return number % 3 == 0 ? msg : (Object) number;
        }

        /** Inserts its own number. */
        void insert(ChannelHandlerContext ctx) {
            inOrder(ctx.getChannel(), null, () -> {
                int number = next.getAndIncrement();
                Thread.yield();
                Channels.write(ctx, Channels.future(ctx.getChannel()), number);
            });
        }
    }

    @Test
    void shouldPassMessagesInTheOrderInWhichTheyWereEncodedWhicheverThreadsWrite() throws Exception {
        int threads = 4;
        int messages = 3000;
        Numbering encoder = new Numbering();
        List<Object> passed = java.util.Collections.synchronizedList(new ArrayList<>());
        EncoderEmbedder<Object> embedder = new EncoderEmbedder<>(
                (ChannelDownstreamHandler) (ctx, e) -> {
                    if (e instanceof MessageEvent message) {
                        passed.add(message.getMessage());
                    } else {
                        ctx.sendDownstream(e);
                    }
                },
                encoder);
        CountDownLatch done = new CountDownLatch(threads);
        ChannelHandlerContext ctx = embedder.getPipeline().getContext(encoder);
        for (int i = 0; i < threads; i++) {
            new Thread(() -> {
                        for (int message = 0; message < messages; message++) {
                            if (message % 5 == 4) {
                                encoder.insert(ctx);
                            } else {
                                embedder.getPipeline().getChannel().write("message");
                            }
                        }
                        done.countDown();
                    })
                    .start();
        }
        assertTrue(done.await(60, TimeUnit.SECONDS), "the writers");
        assertEquals(threads * messages, passed.size());
        for (int i = 0; i < passed.size(); i++) {
            // Inserted messages carry a number even if it is divisible by three.
            assertTrue(passed.get(i).equals(i) || i % 3 == 0 && passed.get(i).equals("message"), "at " + i);
        }
    }

    private record Stateful(ChannelDownstreamHandler encoder, Object message) {}

    static Stream<Stateful> statefulEncoders() {
        ChannelBuffer bytes = ChannelBuffers.copiedBuffer("some text", US_ASCII);
        return Stream.of(
                new Stateful(new StrictEncoder(), 3),
                new Stateful(new ZlibEncoder(), bytes),
                new Stateful(new JdkZlibEncoder(), bytes),
                new Stateful(new CompatibleObjectEncoder(), "some text"));
    }

    /**
     * A handler below may wait for a lock that the other writer holds; if the encoder held one, too, this would be a
     * deadlock.
     */
    @ParameterizedTest
    @MethodSource("statefulEncoders")
    void shouldNotBlockAWriterWhileAHandlerBelowIsAtWork(Stateful stateful) throws Exception {
        List<Object> passed = new ArrayList<>();
        AtomicReference<Thread> otherWriter = new AtomicReference<>();
        MemoryChannel channel = MemoryChannel.connected(
                (ChannelDownstreamHandler) (ctx, e) -> {
                    if (e instanceof MessageEvent && otherWriter.get() == null) {
                        otherWriter.set(new Thread(() -> e.getChannel().write(stateful.message())));
                        otherWriter.get().start();
                        otherWriter.get().join(10_000);
                        assertFalse(otherWriter.get().isAlive(), "the other writer waits for this one");
                    }
                    if (e instanceof MessageEvent message) {
                        passed.add(message.getMessage());
                    }
                    ctx.sendDownstream(e);
                },
                stateful.encoder());
        channel.write(stateful.message());
        assertEquals(List.of(), channel.takeCaught());
        assertEquals(2, passed.size());
        assertEquals(passed, channel.takeWritten());
    }

    @Test
    void shouldFailAQueuedMessageThatCannotBeEncoded() {
        List<ChannelFuture> futures = new ArrayList<>();
        MemoryChannel channel = MemoryChannel.connected(
                (ChannelDownstreamHandler) (ctx, e) -> {
                    if (futures.isEmpty() && e instanceof MessageEvent) {
                        futures.add(e.getFuture());
                        futures.add(e.getChannel().write("throw"));
                        futures.add(e.getChannel().write(4));
                        assertFalse(futures.get(1).isDone(), "the previous message is not passed on yet");
                    }
                    ctx.sendDownstream(e);
                },
                new StrictEncoder());
        channel.write(3);
        assertEquals(List.of(6, 8), channel.takeWritten());
        assertTrue(futures.get(0).isSuccess());
        assertEquals("bad message", futures.get(1).getCause().getMessage());
        assertTrue(futures.get(2).isSuccess());
        assertEquals(1, channel.takeCaught().size());
    }

    /** A close request that arrives while a message is being passed on must not overtake it. */
    @Test
    void shouldEndACompressedStreamAfterQueuedMessages() {
        List<ChannelEvent> passed = new ArrayList<>();
        MemoryChannel channel = MemoryChannel.connected(
                (ChannelDownstreamHandler) (ctx, e) -> {
                    if (e.getChannel().isConnected()) {
                        passed.add(e);
                    }
                    if (passed.size() == 1) {
                        e.getChannel().write(ChannelBuffers.copiedBuffer("second", US_ASCII));
                        e.getChannel().close();
                        assertTrue(e.getChannel().isOpen());
                    }
                    ctx.sendDownstream(e);
                },
                new ZlibEncoder());
        channel.write(ChannelBuffers.copiedBuffer("first", US_ASCII));
        assertFalse(channel.isOpen());
        DecoderEmbedder<ChannelBuffer> decoder = new DecoderEmbedder<>(new ZlibDecoder());
        channel.takeWritten().forEach(decoder::offer);
        decoder.finish();
        assertEquals(
                "firstsecond",
                ChannelBuffers.wrappedBuffer(decoder.pollAll(new ChannelBuffer[0]))
                        .toString(US_ASCII));
        assertEquals(4, passed.size(), "two messages, the end of the stream, the request to close");
    }

    /** A user's encoder need not know about it. */
    @Test
    void shouldPassTheEndOfTheOutputWithoutEncodingIt() {
        OneToOneEncoder encoder = new OneToOneEncoder() {
            @Override
            protected Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) {
                return msg.toString();
            }
        };
        MemoryChannel channel = MemoryChannel.connected(encoder);
        channel.write(1);
        assertTrue(Channels.shutdownOutput(channel).isSuccess());
        assertEquals(List.of("1", OutputShutdown.INSTANCE), channel.takeWritten());
    }
}
