package org.freshet.handler.codec.marshalling;

import static org.freshet.handler.codec.marshalling.Protocol.decode;
import static org.freshet.handler.codec.marshalling.Protocol.failure;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Externalizable;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Classes that must not be instantiated, and bytes that are not objects. */
class HostileMarshallingTest {
    /** How often code of the classes below ran because of a stream. */
    private static final AtomicInteger foreignCode = new AtomicInteger();

    private static class Custom implements Serializable {
        private static final long serialVersionUID = 1;

        final String text;

        Custom(String text) {
            this.text = text;
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            foreignCode.incrementAndGet();
            in.defaultReadObject();
        }
    }

    private static final class Derived extends Custom {
        private static final long serialVersionUID = 1;

        Derived() {
            super("derived");
        }
    }

    /** Public, as externalizable classes must be. */
    public static final class External implements Externalizable {
        private static final long serialVersionUID = 1;

        public External() {}

        @Override
        public void writeExternal(ObjectOutput out) throws IOException {
            out.writeInt(1);
        }

        @Override
        public void readExternal(ObjectInput in) throws IOException {
            foreignCode.incrementAndGet();
            in.readInt();
        }
    }

    private enum Colour {
        RED
    }

    private static final class Handler implements InvocationHandler, Serializable {
        private static final long serialVersionUID = 1;

        @Override
        public Object invoke(Object proxy, Method method, Object[] args) {
            foreignCode.incrementAndGet();
            return null;
        }
    }

    private record Point(int x, int y) implements Serializable {}

    private static final String THIS = HostileMarshallingTest.class.getName() + "$";

    private static Object proxy() {
        return Proxy.newProxyInstance(
                HostileMarshallingTest.class.getClassLoader(), new Class<?>[] {Runnable.class}, new Handler());
    }

    private static List<Object> refused() {
        return List.of(
                new Custom("x"),
                new Derived(),
                new External(),
                Colour.RED,
                new Custom[0],
                new Colour[1][1],
                new ArrayList<>(List.of(new Custom("x"))),
                Map.of("key", new Custom("x")),
                new Object[] {new External()},
                new Point(1, 2),
                new Handler(),
                proxy(),
                (Supplier<String> & Serializable) () -> "lambda",
                new IllegalStateException("x"),
                new java.io.File("x"));
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseEveryKindOfForeignClassByDefault(Protocol protocol) {
        for (Object object : refused()) {
            byte[] framed = protocol.framed(object);
            foreignCode.set(0);
            Throwable e = failure(new MarshallingDecoder(protocol.unmarshallers()), framed);
            assertInstanceOf(InvalidClassException.class, e, () -> object.getClass() + " ended in " + e);
            assertTrue(e.getMessage().contains("-Dorg.freshet.serialization.filter="), e.getMessage());
            byte[] bare = protocol.bare(object);
            assertInstanceOf(
                    InvalidClassException.class,
                    failure(new CompatibleMarshallingDecoder(protocol.unmarshallers(), 99999), bare));
            assertEquals(0, foreignCode.get(), () -> "code ran for " + object.getClass());
        }
    }

    private interface MarkA {}

    private interface MarkB {}

    /** Each list of interfaces, in each order, is a class that the JVM keeps permanently. */
    @ParameterizedTest
    @EnumSource
    void shouldRefuseAProxyBeforeItsClassIsMade(Protocol protocol) {
        Object proxy = Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {MarkA.class, MarkB.class}, new Handler());
        // The same interface twice: creating such a class would fail.
        String twice = new String(protocol.framed(proxy), StandardCharsets.ISO_8859_1).replace("MarkB", "MarkA");
        byte[] bytes = twice.getBytes(StandardCharsets.ISO_8859_1);
        Throwable e = failure(new MarshallingDecoder(protocol.unmarshallers()), bytes);
        assertInstanceOf(InvalidClassException.class, e, e.toString());
        assertTrue(e.getMessage().startsWith(THIS + "MarkA; "), e.getMessage());
        UnmarshallerProvider allows = protocol.unmarshallers(
                "java.lang.**;" + THIS + "Handler;" + proxy().getClass().getPackageName() + ".*");
        Runnable read = (Runnable)
                decode(new MarshallingDecoder(allows), protocol.framed(proxy())).get(0);
        foreignCode.set(0);
        read.run();
        assertEquals(1, foreignCode.get(), "a proxy whose interfaces are allowed");
    }

    @ParameterizedTest
    @EnumSource
    void shouldNameTheRefusedClassAndContinueWithTheNextObject(Protocol protocol) {
        byte[] bytes = protocol.framed(new Custom("x"), "next");
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(new MarshallingDecoder(protocol.unmarshallers()));
        Throwable e = assertThrows(
                        CodecEmbedderException.class, () -> embedder.offer(ChannelBuffers.wrappedBuffer(bytes)))
                .getCause();
        assertTrue(e.getMessage().startsWith(Custom.class.getName() + "; "), e.getMessage());
        assertTrue(e.getMessage().endsWith("filter=" + Custom.class.getName()), e.getMessage());
        assertEquals("next", embedder.poll());
    }

    @ParameterizedTest
    @EnumSource
    void shouldAcceptClassesTheFilterAllowsAndApplyTheDefaultToTheRest(Protocol protocol) {
        UnmarshallerProvider custom = protocol.unmarshallers(THIS + "Custom");
        Object read = decode(new MarshallingDecoder(custom), protocol.framed(new Custom("x")))
                .get(0);
        assertEquals("x", ((Custom) read).text);
        assertEquals(List.of("text"), decode(new MarshallingDecoder(custom), protocol.framed("text")));
        // Not decided by the filter, which doesn't end in "!*": still refused.
        assertInstanceOf(
                InvalidClassException.class, failure(new MarshallingDecoder(custom), protocol.framed(new External())));
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseClassesTheFilterRefuses(Protocol protocol) {
        byte[] uuid = protocol.framed(new UUID(1, 2));
        Throwable e = failure(new MarshallingDecoder(protocol.unmarshallers("!java.util.UUID")), uuid);
        assertInstanceOf(InvalidClassException.class, e);
        assertTrue(e.getMessage().contains("java.util.UUID; refused by the given filter"), e.getMessage());
    }

    /** The remedy that the package documents for costs it cannot limit. */
    @ParameterizedTest
    @EnumSource
    void shouldReadNoSetsIfTheFilterAllowsNone(Protocol protocol) {
        Set<Object> sets = new HashSet<>();
        Set<Object> deepest = sets;
        for (int level = 0; level < 22; level++) { // each one doubles the time for hashing
            Set<Object> next = new HashSet<>();
            deepest.add(next);
            deepest.add(Set.of(next, level));
            deepest = next;
        }
        byte[] bytes = protocol.framed(new ArrayList<>(List.of(1, sets)));
        UnmarshallerProvider noSets = protocol.unmarshallers("java.util.ArrayList;java.lang.*;[Ljava.lang.*;!*");
        Throwable e = failure(new MarshallingDecoder(noSets), bytes);
        assertInstanceOf(InvalidClassException.class, e);
        assertTrue(e.getMessage().startsWith("java.util.HashSet; refused by the given filter"), e.getMessage());
        assertEquals(
                List.of(List.of(1)),
                decode(new MarshallingDecoder(noSets), protocol.framed(new ArrayList<>(List.of(1)))));
    }

    @ParameterizedTest
    @EnumSource
    void shouldAcceptClassesThePropertyAllows(Protocol protocol) {
        System.setProperty("org.freshet.serialization.filter", THIS + "Custom");
        try {
            byte[] bytes = protocol.framed(new Custom("x"));
            Object read = decode(new MarshallingDecoder(protocol.unmarshallers()), bytes)
                    .get(0);
            assertEquals("x", ((Custom) read).text);
        } finally {
            System.clearProperty("org.freshet.serialization.filter");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldSurviveThousandsOfLevels(Protocol protocol) throws InterruptedException {
        List<Object> deep = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            deep = new ArrayList<>(List.of(deep));
        }
        List<Object> deepest = deep;
        byte[][] bytes = new byte[1][];
        Thread writer = new Thread(null, () -> bytes[0] = protocol.framed(deepest), "writer", 256 << 20);
        writer.start();
        writer.join();
        Throwable e = failure(new MarshallingDecoder(protocol.unmarshallers()), bytes[0]);
        assertInstanceOf(IOException.class, e);
    }

    @ParameterizedTest
    @EnumSource
    void shouldDiscardBytesAfterABadObjectWithoutALength(Protocol protocol) {
        byte[] bare = protocol.bare(new Custom("x"), "next");
        DecoderEmbedder<Object> embedder =
                new DecoderEmbedder<>(new CompatibleMarshallingDecoder(protocol.unmarshallers(), 999));
        assertThrows(CodecEmbedderException.class, () -> embedder.offer(ChannelBuffers.wrappedBuffer(bare)));
        embedder.offer(ChannelBuffers.wrappedBuffer(bare));
        assertFalse(embedder.finish());
        assertEquals(0, embedder.undecodedBytes());
    }

    @ParameterizedTest
    @EnumSource
    void shouldReportEveryTruncationAsAnIOException(Protocol protocol) {
        for (Object message : goodMessages()) {
            byte[] body = body(protocol, message);
            for (int length = 0; length < Math.min(body.length, 300); length++) {
                Throwable e =
                        failure(new MarshallingDecoder(protocol.unmarshallers()), frame(Arrays.copyOf(body, length)));
                assertInstanceOf(IOException.class, e, "cut at " + length);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldThrowOnlyDocumentedExceptionsForDamagedObjects(Protocol protocol) {
        Random random = Seeds.random();
        UnmarshallerProvider unmarshallers = new ThreadLocalUnmarshallerProvider(protocol.factory(), protocol.config());
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(new MarshallingDecoder(unmarshallers));
        byte[][] good =
                goodMessages().stream().map(message -> body(protocol, message)).toArray(byte[][]::new);
        int failures = 0;
        int rounds = Seeds.rounds(1250);
        for (int i = 0; i < rounds; i++) {
            byte[] bad = damaged(random, good[random.nextInt(good.length)]);
            try {
                embedder.offer(ChannelBuffers.wrappedBuffer(frame(bad)));
                embedder.pollAll();
            } catch (CodecEmbedderException e) {
                failures++;
                assertTrue(
                        e.getCause() instanceof IOException || e.getCause() instanceof ClassNotFoundException,
                        () -> e.getCause() + " for " + HexFormat.of().formatHex(bad));
            }
        }
        assertTrue(failures > rounds / 5, "failed: " + failures);
        embedder.offer(ChannelBuffers.wrappedBuffer(protocol.framed("whole")));
        assertEquals("whole", embedder.poll());
    }

    @ParameterizedTest
    @EnumSource
    void shouldThrowOnlyDocumentedExceptionsForDamagedObjectsWithoutALength(Protocol protocol) {
        Random random = Seeds.random();
        UnmarshallerProvider unmarshallers = new ThreadLocalUnmarshallerProvider(protocol.factory(), protocol.config());
        byte[][] good = goodMessages().stream().map(protocol::bare).toArray(byte[][]::new);
        for (int i = 0; i < Seeds.rounds(750); i++) {
            byte[] bad = damaged(random, good[random.nextInt(good.length)]);
            DecoderEmbedder<Object> embedder =
                    new DecoderEmbedder<>(new CompatibleMarshallingDecoder(unmarshallers, 4000));
            try {
                embedder.offer(ChannelBuffers.wrappedBuffer(bad));
                embedder.finish();
            } catch (CodecEmbedderException e) {
                assertTrue(
                        e.getCause() instanceof IOException
                                || e.getCause() instanceof ClassNotFoundException
                                || e.getCause() instanceof org.freshet.handler.codec.frame.TooLongFrameException,
                        () -> e.getCause() + " for " + HexFormat.of().formatHex(bad));
            }
            assertEquals(0, embedder.undecodedBytes());
        }
    }

    /** Object[n] { Object[n] { ... } }: each array is within what the object's bytes can fill, but not all together. */
    @Test
    void shouldLimitTheSumOfAllArrays() {
        ChannelBuffer body = ChannelBuffers.dynamicBuffer();
        body.writeBytes(HexFormat.of()
                .parseHex("aced000575720013" + "5b4c6a6176612e6c616e672e4f626a6563743b90ce589f1073296c0200007870"));
        int length = 10_000;
        for (int i = 0; i < 15; i++) {
            body.writeInt(length);
            body.writeBytes(HexFormat.of().parseHex("7571007e0000"));
        }
        body.writeInt(length);
        for (int i = 0; i < length; i++) {
            body.writeByte(0x70);
        }
        byte[] bytes = new byte[body.readableBytes()];
        body.readBytes(bytes);
        Throwable e = failure(new MarshallingDecoder(Protocol.SERIAL.unmarshallers()), frame(bytes));
        assertInstanceOf(InvalidClassException.class, e, e.toString());
        assertTrue(e.getMessage().contains("array lengths add up to more than"), e.getMessage());
    }

    private static List<Object> goodMessages() {
        return List.of(
                "text",
                7,
                new ArrayList<>(List.of(1, "x")),
                Map.of("a", 1),
                new UUID(1, 2),
                "x".repeat(2000),
                new int[][] {{1}, {2}},
                new java.util.TreeMap<>(Map.of("k", 1L)));
    }

    private static byte[] body(Protocol protocol, Object message) {
        byte[] framed = protocol.framed(message);
        return Arrays.copyOfRange(framed, 4, framed.length);
    }

    private static byte[] frame(byte[] body) {
        ChannelBuffer frame = ChannelBuffers.buffer(body.length + 4);
        frame.writeInt(body.length);
        frame.writeBytes(body);
        return frame.array();
    }

    /** Perhaps shorter, and with up to two flipped bits near its beginning. */
    private static byte[] damaged(Random random, byte[] good) {
        byte[] bad = Arrays.copyOf(good, random.nextInt(3) == 0 ? random.nextInt(good.length) : good.length);
        for (int flips = random.nextInt(3); flips > 0 && bad.length > 0; flips--) {
            bad[random.nextInt(Math.min(bad.length, 100))] ^= (byte) (1 << random.nextInt(8));
        }
        return bad;
    }
}
