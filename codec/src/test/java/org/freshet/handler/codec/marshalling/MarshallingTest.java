package org.freshet.handler.codec.marshalling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InvalidClassException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.DecoderSplitChecker;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.freshet.handler.codec.frame.TooLongFrameException;
import org.freshet.testing.Seeds;
import org.jboss.marshalling.MarshallerFactory;
import org.jboss.marshalling.Marshalling;
import org.jboss.marshalling.MarshallingConfiguration;
import org.jboss.marshalling.SimpleClassResolver;
import org.jboss.marshalling.UnmarshallingObjectInputFilter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each test runs with both protocols of JBoss Marshalling. */
class MarshallingTest {
    private static final class Custom implements Serializable {
        private static final long serialVersionUID = 1;

        final String text;

        Custom(String text) {
            this.text = text;
        }
    }

    private static MarshallerFactory factory(String protocol) {
        return Marshalling.getProvidedMarshallerFactory(protocol);
    }

    private static MarshallingConfiguration config(String protocol) {
        MarshallingConfiguration config = new MarshallingConfiguration();
        config.setClassResolver(new SimpleClassResolver(MarshallingTest.class.getClassLoader()));
        if (protocol.equals("serial")) {
            config.setVersion(5);
        }
        return config;
    }

    private static MarshallingConfiguration allowing(String protocol, String pattern) {
        MarshallingConfiguration config = config(protocol);
        config.setUnmarshallingFilter(UnmarshallingObjectInputFilter.Factory.createFilter(pattern));
        return config;
    }

    private static MarshallerProvider marshallers(String protocol) {
        return new DefaultMarshallerProvider(factory(protocol), config(protocol));
    }

    private static UnmarshallerProvider unmarshallers(String protocol) {
        return new DefaultUnmarshallerProvider(factory(protocol), config(protocol));
    }

    private static byte[] encode(org.freshet.channel.ChannelDownstreamHandler encoder, Object... messages) {
        EncoderEmbedder<ChannelBuffer> embedder = new EncoderEmbedder<>(encoder);
        ChannelBuffer all = ChannelBuffers.dynamicBuffer();
        for (Object message : messages) {
            embedder.offer(message);
            all.writeBytes(embedder.poll());
        }
        byte[] bytes = new byte[all.readableBytes()];
        all.readBytes(bytes);
        return bytes;
    }

    private static final Object[] MESSAGES = {
        "text", 7, new ArrayList<>(List.of(1, "x")), Map.of("a", 1), new UUID(1, 2), "x".repeat(2000), List.of(3)
    };

    private static List<Object> decode(org.freshet.channel.ChannelUpstreamHandler decoder, byte[] bytes) {
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(decoder);
        embedder.offer(ChannelBuffers.wrappedBuffer(bytes));
        return List.of(embedder.pollAll());
    }

    private static Throwable failure(org.freshet.channel.ChannelUpstreamHandler decoder, byte[] bytes) {
        return assertThrows(CodecEmbedderException.class, () -> decode(decoder, bytes))
                .getCause();
    }

    @ParameterizedTest
    @ValueSource(strings = {"river", "serial"})
    void shouldReadBackWhatWasWrittenWithEveryProvider(String protocol) {
        for (MarshallerProvider marshallers : List.of(
                marshallers(protocol), new ThreadLocalMarshallerProvider(factory(protocol), config(protocol)))) {
            byte[] framed = encode(new MarshallingEncoder(marshallers), MESSAGES);
            byte[] bare = encode(new CompatibleMarshallingEncoder(marshallers), MESSAGES);
            for (UnmarshallerProvider unmarshallers : List.of(
                    unmarshallers(protocol),
                    new ThreadLocalUnmarshallerProvider(factory(protocol), config(protocol)),
                    new ContextBoundUnmarshallerProvider(factory(protocol), config(protocol)))) {
                assertEquals(Arrays.asList(MESSAGES), decode(new MarshallingDecoder(unmarshallers), framed));
                assertEquals(
                        Arrays.asList(MESSAGES), decode(new CompatibleMarshallingDecoder(unmarshallers, 9999), bare));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"river", "serial"})
    void shouldDecodeTheSameHoweverTheInputIsCut(String protocol) {
        DecoderSplitChecker.of(() -> new MarshallingDecoder(unmarshallers(protocol)))
                .check(encode(new MarshallingEncoder(marshallers(protocol)), "a", "", "bc"));
        DecoderSplitChecker.of(() -> new CompatibleMarshallingDecoder(unmarshallers(protocol), 999))
                .check(encode(new CompatibleMarshallingEncoder(marshallers(protocol)), "a", "", "bc"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"river", "serial"})
    void shouldWriteAndReadWhatNetty3Does(String protocol) throws Exception {
        var theirEncoder = new org.jboss.netty.handler.codec.embedder.EncoderEmbedder<
                org.jboss.netty.buffer.ChannelBuffer>(new org.jboss.netty.handler.codec.marshalling.MarshallingEncoder(
                new org.jboss.netty.handler.codec.marshalling.DefaultMarshallerProvider(
                        factory(protocol), config(protocol))));
        for (Object message : MESSAGES) {
            theirEncoder.offer(message);
            org.jboss.netty.buffer.ChannelBuffer theirs = theirEncoder.poll();
            byte[] expected = new byte[theirs.readableBytes()];
            theirs.readBytes(expected);
            byte[] ours = encode(new MarshallingEncoder(marshallers(protocol)), message);
            assertEquals(HexFormat.of().formatHex(expected), HexFormat.of().formatHex(ours));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"river", "serial"})
    void shouldRefuseClassesUnlessAFilterAllowsThem(String protocol) {
        byte[] bytes = encode(new MarshallingEncoder(marshallers(protocol)), new Custom("x"), "next");
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(new MarshallingDecoder(unmarshallers(protocol)));
        Throwable e = assertThrows(
                        CodecEmbedderException.class, () -> embedder.offer(ChannelBuffers.wrappedBuffer(bytes)))
                .getCause();
        assertEquals(InvalidClassException.class, e.getClass());
        assertTrue(e.getMessage().contains("MarshallingTest$Custom"), e.getMessage());
        assertTrue(e.getMessage().contains("-Dorg.freshet.serialization.filter="), e.getMessage());
        assertEquals("next", embedder.poll(), "goes on with the next object");
        UnmarshallerProvider allowing = new DefaultUnmarshallerProvider(
                factory(protocol), allowing(protocol, MarshallingTest.class.getName() + "$*;java.**;!*"));
        assertEquals(
                "x", ((Custom) decode(new MarshallingDecoder(allowing), bytes).get(0)).text);
        UnmarshallerProvider refusing =
                new ThreadLocalUnmarshallerProvider(factory(protocol), allowing(protocol, "!java.util.UUID"));
        byte[] uuid = encode(new MarshallingEncoder(marshallers(protocol)), new UUID(1, 2));
        assertEquals(
                InvalidClassException.class,
                failure(new MarshallingDecoder(refusing), uuid).getClass());
    }

    @ParameterizedTest
    @ValueSource(strings = {"river", "serial"})
    void shouldTakeWhatThePropertyAllows(String protocol) {
        System.setProperty("org.freshet.serialization.filter", MarshallingTest.class.getName() + "$Custom");
        try {
            byte[] bytes = encode(new MarshallingEncoder(marshallers(protocol)), new Custom("x"));
            assertEquals(
                    "x",
                    ((Custom) decode(new MarshallingDecoder(unmarshallers(protocol)), bytes)
                                    .get(0))
                            .text);
        } finally {
            System.clearProperty("org.freshet.serialization.filter");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"river", "serial"})
    void shouldLimitTheSize(String protocol) {
        byte[] framed = encode(new MarshallingEncoder(marshallers(protocol)), "x".repeat(500), "next");
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(new MarshallingDecoder(unmarshallers(protocol), 300));
        assertEquals(
                TooLongFrameException.class,
                assertThrows(CodecEmbedderException.class, () -> embedder.offer(ChannelBuffers.wrappedBuffer(framed)))
                        .getCause()
                        .getClass());
        assertEquals("next", embedder.poll());
        byte[] bare = encode(new CompatibleMarshallingEncoder(marshallers(protocol)), "x".repeat(500), "next");
        DecoderEmbedder<Object> compatible =
                new DecoderEmbedder<>(new CompatibleMarshallingDecoder(unmarshallers(protocol), 300));
        CodecEmbedderException e =
                assertThrows(CodecEmbedderException.class, () -> compatible.offer(ChannelBuffers.wrappedBuffer(bare)));
        assertEquals(TooLongFrameException.class, e.getCause().getClass());
        assertEquals("object > 300 bytes", e.getCause().getMessage());
        assertFalse(compatible.getPipeline().getChannel().isOpen(), "closes the channel");
        assertEquals(0, compatible.size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"river", "serial"})
    void shouldThrowAwayWhatFollowsABadObjectWithoutALength(String protocol) {
        byte[] bare = encode(new CompatibleMarshallingEncoder(marshallers(protocol)), new Custom("x"), "next");
        DecoderEmbedder<Object> embedder =
                new DecoderEmbedder<>(new CompatibleMarshallingDecoder(unmarshallers(protocol), 999));
        assertThrows(CodecEmbedderException.class, () -> embedder.offer(ChannelBuffers.wrappedBuffer(bare)));
        embedder.offer(ChannelBuffers.wrappedBuffer(bare));
        assertFalse(embedder.finish());
        assertEquals(0, embedder.undecodedBytes());
    }

    @ParameterizedTest
    @ValueSource(strings = {"river", "serial"})
    void shouldSkipAResetAndReportATruncatedObject(String protocol) {
        byte[] bare = encode(new CompatibleMarshallingEncoder(marshallers(protocol)), "last");
        byte[] reset = Arrays.copyOf(bare, bare.length + 1);
        reset[bare.length] = 0x79;
        DecoderEmbedder<Object> embedder =
                new DecoderEmbedder<>(new CompatibleMarshallingDecoder(unmarshallers(protocol), 999));
        embedder.offer(ChannelBuffers.wrappedBuffer(reset));
        embedder.finish();
        assertEquals(List.of("last"), List.of(embedder.pollAll()));
        DecoderEmbedder<Object> truncated =
                new DecoderEmbedder<>(new CompatibleMarshallingDecoder(unmarshallers(protocol), 999));
        truncated.offer(ChannelBuffers.wrappedBuffer(bare, 0, bare.length - 1));
        Throwable e =
                assertThrows(CodecEmbedderException.class, truncated::finish).getCause();
        assertTrue(e instanceof IOException, () -> "threw " + e);
    }

    @ParameterizedTest
    @ValueSource(strings = {"river", "serial"})
    void shouldEndDamagedObjectsInTheDocumentedExceptions(String protocol) {
        Random random = Seeds.random();
        UnmarshallerProvider unmarshallers = new ThreadLocalUnmarshallerProvider(factory(protocol), config(protocol));
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(new MarshallingDecoder(unmarshallers));
        MarshallingEncoder encoder = new MarshallingEncoder(marshallers(protocol));
        byte[][] good =
                Arrays.stream(MESSAGES).map(message -> encode(encoder, message)).toArray(byte[][]::new);
        for (int i = 0; i < 5000; i++) {
            byte[] framed = good[random.nextInt(good.length)];
            byte[] bad = Arrays.copyOfRange(
                    framed, 4, random.nextInt(3) == 0 ? 4 + random.nextInt(framed.length - 4) : framed.length);
            for (int flips = random.nextInt(3); flips > 0 && bad.length > 0; flips--) {
                bad[random.nextInt(Math.min(bad.length, 100))] ^= (byte) (1 << random.nextInt(8));
            }
            ChannelBuffer frame = ChannelBuffers.buffer(bad.length + 4);
            frame.writeInt(bad.length);
            frame.writeBytes(bad);
            try {
                embedder.offer(frame);
                embedder.pollAll();
            } catch (CodecEmbedderException e) {
                assertTrue(
                        e.getCause() instanceof IOException || e.getCause() instanceof ClassNotFoundException,
                        () -> e.getCause() + " for " + HexFormat.of().formatHex(bad));
            }
        }
        embedder.offer(ChannelBuffers.wrappedBuffer(good[0]));
        assertEquals(MESSAGES[0], embedder.poll());
    }

    @ParameterizedTest
    @ValueSource(strings = {"river", "serial"})
    void shouldKeepOneUnmarshallerAsProvidersSay(String protocol) throws Exception {
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(new MarshallingDecoder(unmarshallers(protocol)));
        var ctx = embedder.getPipeline().getContext(MarshallingDecoder.class);
        UnmarshallerProvider bound = new ContextBoundUnmarshallerProvider(factory(protocol), config(protocol));
        assertSame(bound.getUnmarshaller(ctx), bound.getUnmarshaller(ctx));
        ctx.setAttachment("taken");
        assertThrows(IllegalStateException.class, () -> bound.getUnmarshaller(ctx));
        UnmarshallerProvider local = new ThreadLocalUnmarshallerProvider(factory(protocol), config(protocol));
        assertSame(local.getUnmarshaller(ctx), local.getUnmarshaller(ctx));
        UnmarshallerProvider fresh = unmarshallers(protocol);
        assertNotSame(fresh.getUnmarshaller(ctx), fresh.getUnmarshaller(ctx));
    }

    @ParameterizedTest
    @ValueSource(strings = {"river"})
    void shouldRefuseBadArguments(String protocol) {
        assertThrows(NullPointerException.class, () -> new MarshallingDecoder(null));
        assertThrows(NullPointerException.class, () -> new MarshallingEncoder(null));
        assertThrows(NullPointerException.class, () -> new CompatibleMarshallingEncoder(null));
        assertThrows(NullPointerException.class, () -> new DefaultUnmarshallerProvider(null, config(protocol)));
        assertThrows(NullPointerException.class, () -> new DefaultUnmarshallerProvider(factory(protocol), null));
        assertThrows(IllegalArgumentException.class, () -> new MarshallingEncoder(marshallers(protocol), -1));
        assertThrows(
                IllegalArgumentException.class, () -> new CompatibleMarshallingDecoder(unmarshallers(protocol), 0));
    }
}
