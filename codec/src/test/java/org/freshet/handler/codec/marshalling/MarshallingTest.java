package org.freshet.handler.codec.marshalling;

import static org.freshet.handler.codec.marshalling.Protocol.decode;
import static org.freshet.handler.codec.marshalling.Protocol.encode;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.NotSerializableException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.CloseReason;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.DecoderSplitChecker;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.freshet.handler.codec.frame.TooLongFrameException;
import org.freshet.handler.codec.serialization.Samples;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Round trips of objects, and how the decoders handle their stream. */
class MarshallingTest {
    private static final Object[] MESSAGES = {
        "text", 7, new ArrayList<>(List.of(1, "x")), Map.of("a", 1), new UUID(1, 2), "x".repeat(2000), List.of(3)
    };

    @ParameterizedTest
    @EnumSource
    void shouldReadBackObjectsWrittenWithEveryProvider(Protocol protocol) {
        for (MarshallerProvider marshallers : List.of(
                protocol.marshallers(), new ThreadLocalMarshallerProvider(protocol.factory(), protocol.config()))) {
            byte[] framed = encode(new MarshallingEncoder(marshallers), MESSAGES);
            byte[] bare = encode(new CompatibleMarshallingEncoder(marshallers), MESSAGES);
            for (UnmarshallerProvider unmarshallers : List.of(
                    protocol.unmarshallers(),
                    new ThreadLocalUnmarshallerProvider(protocol.factory(), protocol.config()),
                    new ContextBoundUnmarshallerProvider(protocol.factory(), protocol.config()))) {
                assertEquals(Arrays.asList(MESSAGES), decode(new MarshallingDecoder(unmarshallers), framed));
                assertEquals(
                        Arrays.asList(MESSAGES), decode(new CompatibleMarshallingDecoder(unmarshallers, 9999), bare));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldAcceptJdkValuesAndCollectionsWithoutAFilter(Protocol protocol) throws IOException {
        for (Object sample : Samples.jdk()) {
            Object read = decode(new MarshallingDecoder(protocol.unmarshallers()), protocol.framed(sample))
                    .get(0);
            assertTrue(
                    Arrays.deepEquals(new Object[] {sample}, new Object[] {read}),
                    () -> sample.getClass() + ": " + sample + " became " + read);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldDecodeTheSameHoweverTheInputIsSplit(Protocol protocol) {
        DecoderSplitChecker.of(() -> new MarshallingDecoder(protocol.unmarshallers()))
                .check(protocol.framed("a", "", "bc"));
        DecoderSplitChecker.of(() -> new CompatibleMarshallingDecoder(protocol.unmarshallers(), 999))
                .check(protocol.bare("a", "", "bc"));
    }

    @ParameterizedTest
    @EnumSource
    void shouldDecodeTheSameHoweverCollectionsAreSplit(Protocol protocol) {
        Object[] objects = {new HashMap<>(Map.of("key", List.of(1, 2))), new UUID(1, 2)};
        byte[] bare = protocol.bare(objects);
        for (int cut = 1; cut < bare.length; cut++) {
            DecoderEmbedder<Object> embedder =
                    new DecoderEmbedder<>(new CompatibleMarshallingDecoder(protocol.unmarshallers(), 999));
            embedder.offer(ChannelBuffers.wrappedBuffer(bare, 0, cut));
            embedder.offer(ChannelBuffers.wrappedBuffer(bare, cut, bare.length - cut));
            assertEquals(Arrays.asList(objects), List.of(embedder.pollAll()), "cut at " + cut);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldContinueAfterATooLongObject(Protocol protocol) {
        byte[] framed = protocol.framed("x".repeat(500), "next");
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(new MarshallingDecoder(protocol.unmarshallers(), 300));
        CodecEmbedderException e =
                assertThrows(CodecEmbedderException.class, () -> embedder.offer(ChannelBuffers.wrappedBuffer(framed)));
        assertEquals(TooLongFrameException.class, e.getCause().getClass());
        assertEquals("next", embedder.poll());
    }

    @ParameterizedTest
    @EnumSource
    void shouldCloseTheChannelOnATooLongObjectWithoutALength(Protocol protocol) {
        byte[] bare = protocol.bare("x".repeat(500), "next");
        DecoderEmbedder<Object> embedder =
                new DecoderEmbedder<>(new CompatibleMarshallingDecoder(protocol.unmarshallers(), 300));
        CodecEmbedderException e =
                assertThrows(CodecEmbedderException.class, () -> embedder.offer(ChannelBuffers.wrappedBuffer(bare)));
        assertEquals(TooLongFrameException.class, e.getCause().getClass());
        assertEquals("object > 300 bytes", e.getCause().getMessage());
        assertEquals(
                CloseReason.Kind.PROTOCOL,
                embedder.getPipeline().getChannel().getCloseReason().kind());
        assertEquals(0, embedder.size());
    }

    @ParameterizedTest
    @EnumSource
    void shouldAcceptAnObjectOfExactlyTheMaximumSize(Protocol protocol) {
        byte[] framed = protocol.framed("x".repeat(500));
        assertEquals(
                1,
                decode(new MarshallingDecoder(protocol.unmarshallers(), framed.length), framed)
                        .size());
        byte[] bare = protocol.bare("x".repeat(500));
        assertEquals(
                1,
                decode(new CompatibleMarshallingDecoder(protocol.unmarshallers(), bare.length), bare)
                        .size());
    }

    @ParameterizedTest
    @EnumSource
    void shouldSkipAResetAfterAnObject(Protocol protocol) {
        byte[] bare = protocol.bare("last");
        byte[] reset = Arrays.copyOf(bare, bare.length + 1);
        reset[bare.length] = 0x79;
        DecoderEmbedder<Object> embedder =
                new DecoderEmbedder<>(new CompatibleMarshallingDecoder(protocol.unmarshallers(), 999));
        embedder.offer(ChannelBuffers.wrappedBuffer(reset));
        embedder.finish();
        assertEquals(List.of("last"), List.of(embedder.pollAll()));
        assertEquals(0, embedder.undecodedBytes());
    }

    @ParameterizedTest
    @EnumSource
    void shouldReportATruncatedObjectWithoutALengthAtTheEnd(Protocol protocol) {
        byte[] bare = protocol.bare("last");
        DecoderEmbedder<Object> truncated =
                new DecoderEmbedder<>(new CompatibleMarshallingDecoder(protocol.unmarshallers(), 999));
        truncated.offer(ChannelBuffers.wrappedBuffer(bare, 0, bare.length - 1));
        Throwable e =
                assertThrows(CodecEmbedderException.class, truncated::finish).getCause();
        assertInstanceOf(IOException.class, e);
    }

    @ParameterizedTest
    @EnumSource
    void shouldStayUsableAfterAnObjectThatCannotBeWritten(Protocol protocol) {
        MarshallerProvider kept = new ThreadLocalMarshallerProvider(protocol.factory(), protocol.config());
        EncoderEmbedder<ChannelBuffer> embedder = new EncoderEmbedder<>(new MarshallingEncoder(kept));
        for (int round = 0; round < 3; round++) {
            CodecEmbedderException e = assertThrows(
                    CodecEmbedderException.class, () -> embedder.offer(new Object[] {"shared", new Object()}));
            assertInstanceOf(NotSerializableException.class, e.getCause());
            embedder.offer("shared");
            DecoderEmbedder<Object> reader = new DecoderEmbedder<>(new MarshallingDecoder(protocol.unmarshallers()));
            reader.offer(embedder.poll());
            assertEquals("shared", reader.poll());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepUnmarshallersAsTheProviderSpecifies(Protocol protocol) throws Exception {
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(new MarshallingDecoder(protocol.unmarshallers()));
        var ctx = embedder.getPipeline().getContext(MarshallingDecoder.class);
        UnmarshallerProvider bound = new ContextBoundUnmarshallerProvider(protocol.factory(), protocol.config());
        assertSame(bound.getUnmarshaller(ctx), bound.getUnmarshaller(ctx));
        ctx.setAttachment("taken");
        assertThrows(IllegalStateException.class, () -> bound.getUnmarshaller(ctx));
        UnmarshallerProvider local = new ThreadLocalUnmarshallerProvider(protocol.factory(), protocol.config());
        assertSame(local.getUnmarshaller(ctx), local.getUnmarshaller(ctx));
        UnmarshallerProvider fresh = protocol.unmarshallers();
        assertNotSame(fresh.getUnmarshaller(ctx), fresh.getUnmarshaller(ctx));
    }

    @Test
    void shouldRefuseBadArguments() {
        Protocol river = Protocol.RIVER;
        assertThrows(NullPointerException.class, () -> new MarshallingDecoder(null));
        assertThrows(NullPointerException.class, () -> new MarshallingEncoder(null));
        assertThrows(NullPointerException.class, () -> new CompatibleMarshallingEncoder(null));
        assertThrows(NullPointerException.class, () -> new DefaultUnmarshallerProvider(null, river.config()));
        assertThrows(NullPointerException.class, () -> new DefaultUnmarshallerProvider(river.factory(), null));
        assertThrows(NullPointerException.class, () -> new ThreadLocalUnmarshallerProvider(river.factory(), null));
        assertThrows(NullPointerException.class, () -> new DefaultMarshallerProvider(null, river.config()));
        assertThrows(NullPointerException.class, () -> new ThreadLocalMarshallerProvider(null, river.config()));
        assertThrows(IllegalArgumentException.class, () -> new MarshallingEncoder(river.marshallers(), -1));
        assertThrows(IllegalArgumentException.class, () -> new CompatibleMarshallingDecoder(river.unmarshallers(), 0));
    }
}
