package org.freshet.handler.codec.serialization;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectOutputStream;
import java.io.StreamCorruptedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.DecoderSplitChecker;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.freshet.handler.codec.frame.TooLongFrameException;
import org.freshet.testing.LendingMemory;
import org.junit.jupiter.api.Test;

class CompatibleObjectDecoderTest {
    private static final ObjectInputFilter OURS =
            ObjectInputFilter.Config.createFilter("org.freshet.handler.codec.serialization.Samples$*");

    private static CompatibleObjectDecoder decoder() {
        return new CompatibleObjectDecoder(1 << 20, 16 << 20, ClassResolvers.cacheDisabled(null), OURS);
    }

    private static DecoderEmbedder<Object> embedder() {
        return new DecoderEmbedder<>(decoder());
    }

    private static List<Object> samples() throws IOException {
        List<Object> samples = new ArrayList<>(Samples.jdk());
        samples.addAll(Samples.custom());
        return samples;
    }

    /** A stream that is never reset, so that later objects refer to earlier ones. */
    private static ChannelBuffer plain(Object... objects) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            for (Object object : objects) {
                out.writeObject(object);
            }
        }
        return ChannelBuffers.wrappedBuffer(bytes.toByteArray());
    }

    private static void assertEqual(Object expected, Object actual) {
        assertTrue(
                Arrays.deepEquals(new Object[] {expected}, new Object[] {actual}),
                () -> expected + " is not " + actual);
    }

    private static <T extends Throwable> T assertFails(
            Class<T> type, DecoderEmbedder<Object> embedder, ChannelBuffer bytes) {
        CodecEmbedderException e = assertThrows(CodecEmbedderException.class, () -> embedder.offer(bytes));
        return assertInstanceOf(type, e.getCause());
    }

    // ---- what is read -----------------------------------------------------------------------------------------------

    @Test
    void shouldReadObjectsOfTheEncoder() throws Exception {
        for (int interval : new int[] {0, 1, 2, 16}) {
            EncoderEmbedder<ChannelBuffer> encoder = new EncoderEmbedder<>(new CompatibleObjectEncoder(interval));
            DecoderEmbedder<Object> decoder = embedder();
            for (Object sample : samples()) {
                encoder.offer(sample);
                decoder.offer(encoder.poll());
                assertEqual(sample, decoder.poll());
            }
            assertEquals(0, decoder.undecodedBytes());
        }
    }

    @Test
    void shouldReadObjectsOfNetty3sEncoder() throws Exception {
        for (int interval : new int[] {0, 1, 2, 16}) {
            var theirs =
                    new org.jboss.netty.handler.codec.embedder.EncoderEmbedder<org.jboss.netty.buffer.ChannelBuffer>(
                            new org.jboss.netty.handler.codec.serialization.CompatibleObjectEncoder(interval));
            DecoderEmbedder<Object> decoder = embedder();
            for (Object sample : samples()) {
                theirs.offer(sample);
                decoder.offer(ChannelBuffers.wrappedBuffer(theirs.poll().toByteBuffer()));
                assertEqual(sample, decoder.poll());
            }
        }
    }

    @Test
    void shouldDecodeSeveralObjectsFromOneRead() throws Exception {
        List<Object> samples = samples();
        DecoderEmbedder<Object> decoder = embedder();
        decoder.offer(plain(samples.toArray()));
        samples.forEach(sample -> assertEqual(sample, decoder.poll()));
        assertNull(decoder.poll());
    }

    @Test
    void shouldKeepIdentitiesUntilAReset() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ObjectOutputStream out = new ObjectOutputStream(bytes);
        List<String> list = new ArrayList<>(List.of("a"));
        out.writeObject(list);
        out.writeObject(list);
        out.reset();
        out.reset();
        out.writeObject(list);
        out.flush();
        DecoderEmbedder<Object> decoder = embedder();
        decoder.offer(ChannelBuffers.wrappedBuffer(bytes.toByteArray()));
        Object first = decoder.poll();
        assertSame(first, decoder.poll());
        Object afterReset = decoder.poll();
        assertEquals(first, afterReset);
        assertTrue(first != afterReset);
    }

    @Test
    void shouldNotDependOnHowTheStreamIsSplit() throws Exception {
        EncoderEmbedder<ChannelBuffer> encoder = new EncoderEmbedder<>(new CompatibleObjectEncoder(2));
        ChannelBuffer stream = ChannelBuffers.dynamicBuffer();
        for (Object object : new Object[] {"text", 5, List.of(1, "text"), "text"}) {
            encoder.offer(object);
            stream.writeBytes(encoder.poll());
        }
        byte[] bytes = new byte[stream.readableBytes()];
        stream.readBytes(bytes);
        DecoderSplitChecker.of(() -> new CompatibleObjectDecoder(ClassResolvers.cacheDisabled(null)))
                .check(bytes);
        byte[] damaged = bytes.clone();
        damaged[12] = 1;
        DecoderSplitChecker.of(() -> new CompatibleObjectDecoder(ClassResolvers.cacheDisabled(null)))
                .check(damaged);
    }

    @Test
    void shouldDecodeObjectsThatOutliveLentReads() throws Exception {
        LendingMemory memory = new LendingMemory(1000);
        DecoderEmbedder<Object> decoder = embedder();
        List<Object> samples = samples();
        ChannelBuffer stream = plain(samples.toArray());
        while (stream.readable()) {
            memory.lend(decoder.getPipeline().getChannel(), stream.readBytes(Math.min(77, stream.readableBytes())));
        }
        samples.forEach(sample -> assertEqual(sample, decoder.poll()));
    }

    @Test
    void shouldBeginANewStreamOnANewConnection() throws Exception {
        CompatibleObjectDecoder decoder = decoder();
        for (int i = 0; i < 2; i++) {
            DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(decoder);
            embedder.offer(plain("x", "y").readSlice(10));
            assertEquals("x", embedder.poll());
            embedder.finish();
            embedder.getPipeline().remove(decoder);
        }
    }

    // ---- what is refused --------------------------------------------------------------------------------------------

    @Test
    void shouldRefuseAForbiddenClassAndDiscardTheRest() throws Exception {
        DecoderEmbedder<Object> embedder =
                new DecoderEmbedder<>(new CompatibleObjectDecoder(ClassResolvers.cacheDisabled(null)));
        InvalidClassException e = assertFails(
                InvalidClassException.class,
                embedder,
                plain("before", Samples.custom().get(0), "after"));
        assertTrue(e.getMessage().contains("org.freshet.serialization.filter"), e.getMessage());
        assertEquals("before", embedder.poll());
        embedder.offer(plain("later"));
        assertNull(embedder.poll());
    }

    @Test
    void shouldRefuseInvalidStreams() throws Exception {
        assertFails(StreamCorruptedException.class, embedder(), ChannelBuffers.wrappedBuffer(new byte[4]));
        ChannelBuffer reference = plain();
        assertFails(
                StreamCorruptedException.class,
                embedder(),
                ChannelBuffers.wrappedBuffer(
                        reference, ChannelBuffers.wrappedBuffer(new byte[] {0x71, 0, 0x7E, 0, 9})));
        assertFails(
                StreamCorruptedException.class,
                embedder(),
                ChannelBuffers.wrappedBuffer(plain(), ChannelBuffers.wrappedBuffer(new byte[] {0x77, 1, 1})));
    }

    @Test
    void shouldRefuseCollectionsThatCostTooMuch() throws Exception {
        Set<Object> nested = new HashSet<>(); // written without being hashed
        Set<Object> left = nested;
        Set<Object> right = new HashSet<>();
        for (int i = 0; i < 60; i++) {
            Set<Object> nextLeft = new HashSet<>();
            Set<Object> nextRight = new HashSet<>();
            nextLeft.add("x");
            left.add(nextLeft);
            left.add(nextRight);
            right.add(nextLeft);
            right.add(nextRight);
            left = nextLeft;
            right = nextRight;
        }
        InvalidClassException e = assertFails(InvalidClassException.class, embedder(), plain(nested));
        assertTrue(e.getMessage().contains("costs more than"), e.getMessage());
    }

    @Test
    void shouldRefuseAnObjectAsSoonAsItIsKnownToBeTooLong() throws Exception {
        CompatibleObjectDecoder decoder =
                new CompatibleObjectDecoder(1000, 1000, ClassResolvers.cacheDisabled(null), OURS);
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(decoder);
        embedder.offer(plain());
        byte[] longString = {0x7C, 0x7F, 0, 0, 0, 0, 0, 0, 0};
        assertFails(TooLongFrameException.class, embedder, ChannelBuffers.wrappedBuffer(longString));

        DecoderEmbedder<Object> second = new DecoderEmbedder<>(
                new CompatibleObjectDecoder(1000, 1000, ClassResolvers.cacheDisabled(null), OURS));
        assertFails(TooLongFrameException.class, second, plain("x".repeat(998)));
        assertNull(second.poll());
    }

    @Test
    void shouldLimitTheBytesWithoutAReset() throws Exception {
        DecoderEmbedder<Object> embedder =
                new DecoderEmbedder<>(new CompatibleObjectDecoder(200, 300, ClassResolvers.cacheDisabled(null), OURS));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ObjectOutputStream out = new ObjectOutputStream(bytes);
        for (int i = 0; i < 6; i++) {
            if (i % 2 == 0) {
                out.reset();
            }
            out.writeObject(i + "x".repeat(130));
        }
        out.flush();
        embedder.offer(ChannelBuffers.wrappedBuffer(bytes.toByteArray()));
        assertEquals(6, embedder.size());
        bytes.reset();
        out.writeObject("y".repeat(130));
        out.flush();
        TooLongFrameException e =
                assertFails(TooLongFrameException.class, embedder, ChannelBuffers.wrappedBuffer(bytes.toByteArray()));
        assertTrue(e.getMessage().contains("maxBytesPerReset"), e.getMessage());
    }

    @Test
    void shouldCheckItsArguments() {
        ClassResolver resolver = ClassResolvers.cacheDisabled(null);
        assertThrows(IllegalArgumentException.class, () -> new CompatibleObjectDecoder(0, resolver));
        assertThrows(IllegalArgumentException.class, () -> new CompatibleObjectDecoder(10, 9, resolver, OURS));
        assertThrows(NullPointerException.class, () -> new CompatibleObjectDecoder(10, null));
    }
}
