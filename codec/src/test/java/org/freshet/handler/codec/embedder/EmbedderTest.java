package org.freshet.handler.codec.embedder;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.buffer.HeapChannelBufferFactory;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.frame.LineBasedFrameDecoder;
import org.freshet.handler.codec.string.StringDecoder;
import org.freshet.handler.codec.string.StringEncoder;
import org.junit.jupiter.api.Test;

class EmbedderTest {
    private static ChannelBuffer ascii(String text) {
        return ChannelBuffers.copiedBuffer(text, US_ASCII);
    }

    private static DecoderEmbedder<String> lines() {
        return new DecoderEmbedder<>(new LineBasedFrameDecoder(80), new StringDecoder(US_ASCII));
    }

    @Test
    void shouldReturnHowManyProductsCanBePolled() {
        DecoderEmbedder<String> embedder = lines();
        assertFalse(embedder.offer(ascii("on")));
        assertEquals(2, embedder.undecodedBytes());
        assertTrue(embedder.offer(ascii("e\ntwo\nth")));
        assertEquals(2, embedder.size());
        assertEquals("one", embedder.peek());
        assertEquals("one", embedder.poll());
        assertTrue(embedder.finish());
        assertEquals("two", embedder.poll());
        assertNull(embedder.poll());
        assertNull(embedder.peek());
        assertFalse(embedder.finish());
        assertEquals(2, embedder.undecodedBytes(), "discarded");
    }

    @Test
    void shouldPollAllIntoArrays() {
        DecoderEmbedder<String> embedder = lines();
        embedder.offer(ascii("a\nb\n"));
        assertThrows(ArrayStoreException.class, () -> embedder.pollAll(new Integer[0]));
        assertArrayEquals(new String[] {"a", "b"}, embedder.pollAll(new String[0]));
        embedder.offer(ascii("c\n"));
        String[] large = {"x", "x", "x"};
        assertSame(large, embedder.pollAll(large));
        assertArrayEquals(new String[] {"c", null, "x"}, large);
        assertEquals(0, embedder.pollAll().length);
        assertThrows(NullPointerException.class, () -> embedder.pollAll(null));
    }

    @Test
    void shouldThrowAHandlersExceptionAndKeepTheMessagesAroundIt() {
        DecoderEmbedder<String> embedder =
                new DecoderEmbedder<>(new LineBasedFrameDecoder(3), new StringDecoder(US_ASCII));
        CodecEmbedderException e =
                assertThrows(CodecEmbedderException.class, () -> embedder.offer(ascii("one\nthree\ntwo\nfive\n")));
        assertEquals("frame length > 3: 5", e.getCause().getMessage());
        assertEquals(1, e.getSuppressed().length);
        assertEquals("frame length > 3: 4", e.getSuppressed()[0].getMessage());
        assertTrue(e.getMessage().contains("TooLongFrameException"), e.getMessage());
        assertEquals(List.of("one", "two"), List.of(embedder.pollAll()));
    }

    @Test
    void shouldNotThrowHandledExceptions() {
        List<Throwable> failures = new ArrayList<>();
        DecoderEmbedder<ChannelBuffer> embedder =
                new DecoderEmbedder<>(new LineBasedFrameDecoder(3), new SimpleChannelUpstreamHandler() {
                    @Override
                    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                        failures.add(e.getCause());
                    }
                });
        embedder.offer(ascii("three\none\n"));
        assertEquals(1, failures.size());
        assertEquals(1, embedder.size());
    }

    @Test
    void shouldFireTheEventsOfAConnectionOnce() {
        List<String> events = new ArrayList<>();
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>((ChannelUpstreamHandler) (ctx, e) -> {
            if (e instanceof ChannelStateEvent state) {
                events.add(state.getState() + "="
                        + (state.getValue() instanceof Boolean b ? b : "set".repeat(state.getValue() == null ? 0 : 1)));
            }
            ctx.sendUpstream(e);
        });
        assertEquals(List.of("OPEN=true", "BOUND=set", "CONNECTED=set"), events);
        events.clear();
        embedder.finish();
        embedder.finish();
        assertEquals(List.of("CONNECTED=", "BOUND=", "OPEN=false"), events);
    }

    @Test
    void shouldReportThatItIsClosedInsteadOfAcceptingAMessage() {
        DecoderEmbedder<String> embedder = lines();
        embedder.finish();
        IllegalStateException e = assertThrows(IllegalStateException.class, () -> embedder.offer("late"));
        assertEquals("the embedder's channel is closed, cannot offer late", e.getMessage());
        EncoderEmbedder<Object> closedByAHandler = new EncoderEmbedder<>(new StringEncoder());
        closedByAHandler.getPipeline().getChannel().close();
        assertThrows(IllegalStateException.class, () -> closedByAHandler.offer("late"));
    }

    @Test
    void shouldTreatWritesOfUpstreamHandlersAsProducts() {
        DecoderEmbedder<Object> echo = new DecoderEmbedder<>(new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                assertTrue(e.getChannel().write(e.getMessage()).isSuccess());
            }
        });
        echo.offer("ping");
        assertEquals("ping", echo.poll());
    }

    @Test
    void shouldProvideTheBufferFactoryToHandlers() {
        ChannelBufferFactory little = HeapChannelBufferFactory.getInstance(ByteOrder.LITTLE_ENDIAN);
        DecoderEmbedder<Object> decoder = new DecoderEmbedder<>(little, new StringDecoder());
        assertSame(little, decoder.getPipeline().getChannel().getConfig().getBufferFactory());
        EncoderEmbedder<ChannelBuffer> encoder = new EncoderEmbedder<>(little, new StringEncoder(US_ASCII));
        encoder.offer("x");
        assertSame(ByteOrder.LITTLE_ENDIAN, encoder.poll().order());
    }

    @Test
    void shouldThrowAnEncodersExceptionOnFinish() {
        EncoderEmbedder<Object> embedder = new EncoderEmbedder<>((ctx, e) -> {
            if (e instanceof ChannelStateEvent) {
                throw new IllegalStateException("no end");
            }
            ctx.sendDownstream(e);
        });
        CodecEmbedderException e = assertThrows(CodecEmbedderException.class, embedder::finish);
        assertEquals("no end", e.getCause().getMessage());
    }

    @Test
    void shouldSupportSuspendedReading() {
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(new SimpleChannelUpstreamHandler() {
            @Override
            public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
                super.handleUpstream(ctx, e);
            }
        });
        Channel channel = embedder.getPipeline().getChannel();
        assertTrue(channel.setReadable(false).isSuccess());
        assertFalse(channel.isReadable());
        channel.setReadable(true);
        assertTrue(channel.isReadable());
    }

    @Test
    void shouldDescribeItsStateAndProducts() {
        DecoderEmbedder<String> embedder = lines();
        embedder.offer(ascii("a\n"));
        assertEquals("DecoderEmbedder[open, 1 to poll: [a]]", embedder.toString());
        embedder.finish();
        assertEquals("DecoderEmbedder[closed, 1 to poll: [a]]", embedder.toString());
    }

    @Test
    void shouldRefuseNullHandlers() {
        assertThrows(NullPointerException.class, () -> new DecoderEmbedder<>((ChannelUpstreamHandler[]) null));
        NullPointerException e =
                assertThrows(NullPointerException.class, () -> new DecoderEmbedder<>(new StringDecoder(), null));
        assertEquals("handlers[1]", e.getMessage());
    }
}
