package org.freshet.handler.codec.serialization;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.NotSerializableException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.StreamCorruptedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.DecoderSplitChecker;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.freshet.handler.codec.frame.TooLongFrameException;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ObjectCodecTest {
    private static final ClassResolver LOADER = ClassResolvers.cacheDisabled(null);
    private static final ObjectInputFilter OURS =
            ObjectInputFilter.Config.createFilter("org.freshet.handler.codec.serialization.Samples$*");

    @AfterEach
    void clearProperties() {
        System.clearProperty(SerialPolicy.FILTER_PROPERTY);
        System.clearProperty(SerialPolicy.MAX_DEPTH_PROPERTY);
    }

    private static ObjectDecoder decoder() {
        return new ObjectDecoder(1 << 20, LOADER, OURS);
    }

    private static ChannelBuffer encode(Object object) {
        EncoderEmbedder<ChannelBuffer> encoder = new EncoderEmbedder<>(new ObjectEncoder());
        encoder.offer(object);
        return encoder.poll();
    }

    private static byte[] encodedByNetty3(Object object) {
        var encoder = new org.jboss.netty.handler.codec.embedder.EncoderEmbedder<org.jboss.netty.buffer.ChannelBuffer>(
                new org.jboss.netty.handler.codec.serialization.ObjectEncoder());
        encoder.offer(object);
        org.jboss.netty.buffer.ChannelBuffer encoded = encoder.poll();
        byte[] bytes = new byte[encoded.readableBytes()];
        encoded.readBytes(bytes);
        return bytes;
    }

    private static Object decode(ObjectDecoder decoder, ChannelBuffer bytes) {
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(decoder);
        embedder.offer(bytes);
        return embedder.poll();
    }

    private static Throwable refusal(ObjectDecoder decoder, Object object) {
        return assertThrows(CodecEmbedderException.class, () -> decode(decoder, encode(object)), "took " + object)
                .getCause();
    }

    private static List<Object> samples() throws IOException {
        List<Object> samples = new ArrayList<>(Samples.jdk());
        samples.addAll(Samples.custom());
        return samples;
    }

    private static String text(Object object) {
        return Arrays.deepToString(new Object[] {object});
    }

    // ---- the format ----

    @Test
    void shouldWriteTheSameAsNetty3AndReadItBack() throws Exception {
        for (Object sample : samples()) {
            byte[] theirs = encodedByNetty3(sample);
            assertEquals(ChannelBuffers.wrappedBuffer(theirs), encode(sample), () -> text(sample));
            Object read = decode(decoder(), ChannelBuffers.wrappedBuffer(theirs));
            assertTrue(Arrays.deepEquals(new Object[] {sample}, new Object[] {read}), () -> text(sample));
        }
    }

    @Test
    void shouldBeReadByNetty3() throws Exception {
        var decoder = new org.jboss.netty.handler.codec.embedder.DecoderEmbedder<Object>(
                new org.jboss.netty.handler.codec.serialization.ObjectDecoder(
                        org.jboss.netty.handler.codec.serialization.ClassResolvers.cacheDisabled(null)));
        for (Object sample : Samples.custom()) {
            ChannelBuffer bytes = encode(sample);
            decoder.offer(org.jboss.netty.buffer.ChannelBuffers.wrappedBuffer(bytes.toByteBuffer()));
            Object read = decoder.poll();
            if (!sample.getClass().isArray()) {
                assertEquals(sample, read);
            }
        }
    }

    @Test
    void shouldDecodeTheSameHoweverTheInputIsSplit() {
        ChannelBuffer stream = ChannelBuffers.dynamicBuffer();
        stream.writeBytes(encode("a"));
        stream.writeBytes(encode(List.of(1)));
        stream.writeBytes(encode(new Samples.ZeroUid()));
        stream.writeBytes(HexFormat.of().parseHex("0000000205ff"));
        stream.writeBytes(encode("b"));
        byte[] bytes = new byte[stream.readableBytes()];
        stream.readBytes(bytes);
        DecoderSplitChecker.of(() -> new ObjectDecoder(LOADER)).check(bytes);
    }

    @Test
    void shouldWriteAndReadPlainStreamsAsNetty3Does() throws Exception {
        ByteArrayOutputStream ours = new ByteArrayOutputStream();
        ByteArrayOutputStream theirs = new ByteArrayOutputStream();
        try (ObjectEncoderOutputStream out = new ObjectEncoderOutputStream(ours);
                var theirOut = new org.jboss.netty.handler.codec.serialization.ObjectEncoderOutputStream(theirs)) {
            writeAll(out);
            writeAll(theirOut);
            assertEquals(theirOut.size(), out.size());
        }
        assertEquals(
                ChannelBuffers.wrappedBuffer(theirs.toByteArray()), ChannelBuffers.wrappedBuffer(ours.toByteArray()));
        try (ObjectDecoderInputStream in =
                new ObjectDecoderInputStream(new ByteArrayInputStream(theirs.toByteArray()), LOADER, 9999, OURS)) {
            assertEquals(
                    "[true, 1, 2, c, 3.0, 4.0, 5, 6, 7, utf, b, 0, c, [1, x]]",
                    readAll(in).toString());
            assertEquals(new Samples.ZeroUid(), in.readObject());
            assertEquals(-1, in.read());
            assertThrows(EOFException.class, in::readObject);
        }
    }

    private static void writeAll(java.io.ObjectOutput out) throws IOException {
        out.writeBoolean(true);
        out.writeByte(1);
        out.writeByte(2);
        out.writeChar('c');
        out.writeDouble(3);
        out.writeFloat(4);
        out.writeInt(5);
        out.writeLong(6);
        out.writeShort(7);
        out.writeUTF("utf");
        out.writeBytes("b");
        out.writeChars("c");
        out.writeObject(new ArrayList<>(List.of(1, "x")));
        out.writeObject(new Samples.ZeroUid());
        out.flush();
    }

    private static List<Object> readAll(java.io.ObjectInput in) throws Exception {
        List<Object> values = new ArrayList<>();
        values.add(in.readBoolean());
        values.add(in.readByte());
        values.add(in.readUnsignedByte());
        values.add(in.readChar());
        values.add(in.readDouble());
        values.add(in.readFloat());
        values.add(in.readInt());
        values.add(in.readLong());
        values.add(in.readShort());
        values.add(in.readUTF());
        values.add((char) in.read());
        values.add(in.readUnsignedByte());
        values.add((char) in.readByte());
        values.add(in.readObject());
        return values;
    }

    @Test
    void shouldWriteCompatibleStreamsAsNetty3Does() throws Exception {
        for (int interval : new int[] {0, 1, 2, 16}) {
            EncoderEmbedder<ChannelBuffer> ours = new EncoderEmbedder<>(new CompatibleObjectEncoder(interval));
            var theirs =
                    new org.jboss.netty.handler.codec.embedder.EncoderEmbedder<org.jboss.netty.buffer.ChannelBuffer>(
                            new org.jboss.netty.handler.codec.serialization.CompatibleObjectEncoder(interval));
            ChannelBuffer stream = ChannelBuffers.dynamicBuffer();
            for (int i = 0; i < 40; i++) {
                Object message = new Samples.Custom("m" + i, "same");
                ours.offer(message);
                theirs.offer(message);
                ChannelBuffer bytes = ours.poll();
                assertEquals(
                        ChannelBuffers.hexDump(bytes),
                        org.jboss.netty.buffer.ChannelBuffers.hexDump(theirs.poll()),
                        "interval " + interval + ", message " + i);
                stream.writeBytes(bytes);
            }
            ObjectInputStream in = new ObjectInputStream(new org.freshet.buffer.ChannelBufferInputStream(stream));
            for (int i = 0; i < 40; i++) {
                assertEquals(new Samples.Custom("m" + i, "same"), in.readObject());
            }
        }
    }

    @Test
    void shouldBeginANewCompatibleStreamOnANewConnection() throws Exception {
        CompatibleObjectEncoder encoder = new CompatibleObjectEncoder();
        String first = null;
        for (int i = 0; i < 2; i++) {
            EncoderEmbedder<ChannelBuffer> embedder = new EncoderEmbedder<>(encoder);
            embedder.offer("x");
            String hex = ChannelBuffers.hexDump(embedder.poll());
            first = first == null ? hex : first;
            assertEquals(first, hex);
            embedder.finish();
        }
    }

    @Test
    void shouldWriteOneCompatibleStreamPerConnectionWithASharedEncoder() throws Exception {
        CompatibleObjectEncoder shared = new CompatibleObjectEncoder(5);
        List<EncoderEmbedder<ChannelBuffer>> connections = new ArrayList<>();
        List<ChannelBuffer> streams = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            connections.add(new EncoderEmbedder<>(shared));
            streams.add(ChannelBuffers.dynamicBuffer());
        }
        for (int message = 0; message < 20; message++) {
            for (int i = 0; i < connections.size(); i++) {
                connections.get(i).offer(new Samples.Custom(i + "/" + message, "same"));
                streams.get(i).writeBytes(connections.get(i).poll());
            }
        }
        for (int i = 0; i < streams.size(); i++) {
            ObjectInputStream in =
                    new ObjectInputStream(new org.freshet.buffer.ChannelBufferInputStream(streams.get(i)));
            for (int message = 0; message < 20; message++) {
                assertEquals(new Samples.Custom(i + "/" + message, "same"), in.readObject());
            }
        }
    }

    @Test
    void shouldSendTheHeaderOfACompatibleStreamOnConnectIfAsked() throws Exception {
        EncoderEmbedder<ChannelBuffer> embedder = new EncoderEmbedder<>(new CompatibleObjectEncoder(2, true));
        ChannelBuffer stream = ChannelBuffers.dynamicBuffer();
        ChannelBuffer header = embedder.poll();
        assertEquals("aced0005", ChannelBuffers.hexDump(header));
        stream.writeBytes(header);
        for (int i = 0; i < 5; i++) {
            embedder.offer("m" + i);
            stream.writeBytes(embedder.poll());
        }
        ObjectInputStream in = new ObjectInputStream(new org.freshet.buffer.ChannelBufferInputStream(stream));
        for (int i = 0; i < 5; i++) {
            assertEquals("m" + i, in.readObject());
        }
    }

    @Test
    void shouldSendTheHeaderOfACompatibleStreamOnceIfTheEncoderIsAddedLate() {
        EncoderEmbedder<ChannelBuffer> embedder = new EncoderEmbedder<>(new SimpleChannelHandler());
        assertNull(embedder.poll());
        embedder.getPipeline().addFirst("encoder", new CompatibleObjectEncoder(2, true));
        assertEquals("aced0005", ChannelBuffers.hexDump(embedder.poll()));
        embedder.offer("x");
        assertEquals("74000178", ChannelBuffers.hexDump(embedder.poll()));
        assertNull(embedder.poll());
    }

    @Test
    void shouldSendTheHeaderOfACompatibleStreamWithTheFirstMessageUnlessAsked() {
        EncoderEmbedder<ChannelBuffer> embedder = new EncoderEmbedder<>(new CompatibleObjectEncoder(2));
        assertNull(embedder.poll());
        embedder.offer("x");
        assertEquals("aced000574000178", ChannelBuffers.hexDump(embedder.poll()));
    }

    @Test
    void shouldReportThatTheAttachmentIsAlreadyUsed() {
        EncoderEmbedder<ChannelBuffer> embedder = new EncoderEmbedder<>(new CompatibleObjectEncoder());
        embedder.getPipeline().getContext(CompatibleObjectEncoder.class).setAttachment("mine");
        CodecEmbedderException e = assertThrows(CodecEmbedderException.class, () -> embedder.offer("x"));
        assertEquals(IllegalStateException.class, e.getCause().getClass());
        assertTrue(e.getCause().getMessage().endsWith(": mine"), e.getCause().getMessage());
    }

    // ---- classes ----

    @Test
    void shouldAcceptJdkValuesWithoutAnyFilter() throws Exception {
        for (Object sample : Samples.jdk()) {
            assertNotNull(decode(new ObjectDecoder(LOADER), encode(sample)), () -> text(sample));
        }
    }

    @Test
    void shouldRefuseOtherClassesAndNameBothRemedies() {
        for (Object sample : Samples.custom()) {
            Throwable e = refusal(new ObjectDecoder(LOADER), sample);
            assertEquals(InvalidClassException.class, e.getClass(), () -> text(sample));
            assertTrue(e.getMessage().contains("org.freshet.handler.codec.serialization.Samples$"), e.getMessage());
            assertTrue(e.getMessage().contains("ObjectInputFilter"), e.getMessage());
            assertTrue(e.getMessage().contains("-Dorg.freshet.serialization.filter=org.freshet"), e.getMessage());
        }
        assertEquals(
                InvalidClassException.class,
                refusal(new ObjectDecoder(LOADER), new Throwable()).getClass());
        assertEquals(
                InvalidClassException.class,
                refusal(new ObjectDecoder(LOADER), java.util.Collections.nCopies(1, "x"))
                        .getClass());
    }

    @Test
    void shouldContinueWithTheNextObjectAfterARefusal() {
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(new ObjectDecoder(LOADER));
        ChannelBuffer both = ChannelBuffers.wrappedBuffer(encode(new Samples.ZeroUid()), encode("next"));
        assertThrows(CodecEmbedderException.class, () -> embedder.offer(both));
        assertEquals("next", embedder.poll());
    }

    @Test
    void shouldAcceptClassesThePropertyAllows() {
        System.setProperty(SerialPolicy.FILTER_PROPERTY, "org.freshet.handler.codec.serialization.Samples$Zero*");
        assertEquals(new Samples.ZeroUid(), decode(new ObjectDecoder(LOADER), encode(new Samples.ZeroUid())));
        assertEquals("still", decode(new ObjectDecoder(LOADER), encode("still")), "the JDK's values need no pattern");
        assertEquals(
                InvalidClassException.class,
                refusal(new ObjectDecoder(LOADER), Samples.Colour.RED).getClass());
        System.setProperty(SerialPolicy.FILTER_PROPERTY, "java.lang.Integer;!*");
        assertEquals(
                InvalidClassException.class,
                refusal(new ObjectDecoder(LOADER), new java.util.Date()).getClass());
        System.setProperty(SerialPolicy.FILTER_PROPERTY, "maxdepth=x");
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> new ObjectDecoder(LOADER));
        assertTrue(e.getMessage().contains(SerialPolicy.FILTER_PROPERTY), e.getMessage());
    }

    @Test
    void shouldAskTheGivenFilterBeforeTheProperty() {
        System.setProperty(SerialPolicy.FILTER_PROPERTY, "**");
        ObjectInputFilter none = info -> info.serialClass() == java.util.Date.class
                ? ObjectInputFilter.Status.REJECTED
                : ObjectInputFilter.Status.UNDECIDED;
        assertEquals(
                InvalidClassException.class,
                refusal(new ObjectDecoder(999, LOADER, none), Samples.Colour.RED)
                        .getClass());
        assertEquals(
                InvalidClassException.class,
                refusal(new ObjectDecoder(999, LOADER, none), new java.util.Date())
                        .getClass());
        assertEquals("x", decode(new ObjectDecoder(999, LOADER, none), encode("x")));
    }

    @Test
    void shouldAcceptClassesOnAnAllowList() throws Exception {
        ClassResolver list = ClassResolvers.allowList(Samples.Custom.class, Samples.ZeroUid.class);
        Samples.Custom custom = new Samples.Custom("a", new Object[] {new Samples.ZeroUid(), 1});
        Samples.Custom read = (Samples.Custom) decode(new ObjectDecoder(list), encode(custom));
        assertEquals("a", read.text);
        assertEquals(5, read.number);
        assertEquals(2, ((Object[]) decode(new ObjectDecoder(list), encode(new Samples.Custom[2]))).length);
        assertEquals(1, ((int[][]) decode(new ObjectDecoder(list), encode(new int[1][0]))).length);
        Throwable e = refusal(new ObjectDecoder(list), Samples.Colour.RED);
        assertEquals(ClassNotFoundException.class, e.getClass());
        assertTrue(e.getMessage().contains("Samples$Colour is not in the allow list"), e.getMessage());
        e = refusal(new ObjectDecoder(list), new java.io.File("described by name only"));
        assertEquals(ClassNotFoundException.class, e.getClass());
        assertTrue(e.getMessage().contains("java.io.File is not in the allow list"), e.getMessage());
        assertEquals(Samples.Custom[][].class, list.resolve(Samples.Custom[][].class.getName()));
        assertThrows(ClassNotFoundException.class, () -> list.resolve("[L" + Samples.Colour.class.getName() + ";"));
        assertThrows(ClassNotFoundException.class, () -> list.resolve("[X"));
        assertThrows(NullPointerException.class, () -> ClassResolvers.allowList(String.class, null));
    }

    /** Its side effect would show that it was initialized. */
    static final class Eager implements java.io.Serializable {
        private static final long serialVersionUID = 1;

        static {
            System.setProperty("freshet.test.eager", "initialized");
        }
    }

    @Test
    void shouldNotInitializeARefusedClass() {
        ChannelBuffer bytes = encode(new Samples.ZeroUid());
        // The thin description of an object of class Eager, written by hand: naming the class in code would initialize
        // it.
        String name = "org.freshet.handler.codec.serialization.ObjectCodecTest$Eager";
        bytes.clear();
        bytes.writeInt(1 + 2 + 1 + 2 + name.length() + 5);
        bytes.writeByte(5);
        bytes.writeByte(0x73);
        bytes.writeByte(0x72);
        bytes.writeByte(1);
        bytes.writeShort(name.length());
        bytes.writeBytes(name.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        bytes.writeByte(2);
        bytes.writeShort(0);
        bytes.writeByte(0x78);
        bytes.writeByte(0x70);
        CodecEmbedderException e =
                assertThrows(CodecEmbedderException.class, () -> decode(new ObjectDecoder(LOADER), bytes));
        assertEquals(InvalidClassException.class, e.getCause().getClass());
        assertNull(System.getProperty("freshet.test.eager"));
    }

    /** Each list of interfaces, in each order, is a class that the JVM keeps permanently. */
    @Test
    void shouldRefuseAProxyBeforeItsClassIsMade() {
        ChannelBuffer bytes = ChannelBuffers.dynamicBuffer();
        bytes.writeInt(0);
        bytes.writeBytes(HexFormat.of().parseHex("05737d00000002"));
        for (int i = 0; i < 2; i++) { // the same one twice: creating such a class would fail
            bytes.writeShort("java.lang.Runnable".length());
            bytes.writeBytes("java.lang.Runnable".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        }
        bytes.writeBytes(HexFormat.of().parseHex("7870"));
        bytes.setInt(0, bytes.readableBytes() - 4);
        CodecEmbedderException e =
                assertThrows(CodecEmbedderException.class, () -> decode(new ObjectDecoder(LOADER), bytes.duplicate()));
        assertEquals(InvalidClassException.class, e.getCause().getClass());
        assertTrue(e.getCause().getMessage().startsWith("java.lang.Runnable; refused by default"), e.getMessage());
        ObjectDecoder listed = new ObjectDecoder(ClassResolvers.allowList(Samples.Custom.class));
        e = assertThrows(CodecEmbedderException.class, () -> decode(listed, bytes.duplicate()));
        assertEquals(ClassNotFoundException.class, e.getCause().getClass());
        assertTrue(e.getCause().getMessage().contains("java.lang.Runnable is not in the allow list"), e.getMessage());
    }

    /** Returns a configured answer. */
    record Saying(String what) implements java.lang.reflect.InvocationHandler, java.io.Serializable {
        @Override
        public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] args) {
            return what;
        }
    }

    @Test
    void shouldAcceptAProxyWithAllowedInterfaces() throws Exception {
        Object proxy = java.lang.reflect.Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {java.util.concurrent.Callable.class, Comparable.class},
                new Saying("hello"));
        ObjectInputFilter allows = ObjectInputFilter.Config.createFilter("java.lang.**;java.util.concurrent.Callable;"
                + "org.freshet.**;" + proxy.getClass().getPackageName() + ".*");
        Object read = decode(new ObjectDecoder(9999, LOADER, allows), encode(proxy));
        assertEquals("hello", ((java.util.concurrent.Callable<?>) read).call());
        assertTrue(refusal(new ObjectDecoder(LOADER), proxy).getMessage().startsWith("java.util.concurrent.Callable;"));
    }

    // ---- limits ----

    private static Object nested(int depth) {
        Object inner = "x";
        for (int i = 0; i < depth; i++) {
            inner = new Object[] {inner};
        }
        return inner;
    }

    @Test
    void shouldLimitTheDepth() {
        assertNotNull(decode(new ObjectDecoder(LOADER), encode(nested(490))));
        Throwable e = refusal(new ObjectDecoder(LOADER), nested(510));
        assertTrue(e.getMessage().contains("depth > 500: 501"), e.getMessage());
        System.setProperty(SerialPolicy.MAX_DEPTH_PROPERTY, "20");
        assertThrows(CodecEmbedderException.class, () -> decode(new ObjectDecoder(LOADER), encode(nested(30))));
    }

    @Test
    void shouldTurnAnOverflowingStackIntoTheDocumentedException() {
        System.setProperty(SerialPolicy.MAX_DEPTH_PROPERTY, "1000000000");
        ChannelBuffer deep = ChannelBuffers.dynamicBuffer();
        deep.writeInt(0);
        deep.writeBytes(HexFormat.of()
                .parseHex("0575720000135b4c6a6176612e6c616e672e4f626a6563743b90ce589f1073296c0200007870"));
        for (int i = 0; i < 100_000; i++) {
            deep.writeInt(1);
            deep.writeBytes(HexFormat.of().parseHex("7571007e0000"));
        }
        deep.setInt(0, deep.readableBytes() - 4);
        CodecEmbedderException e = assertThrows(
                CodecEmbedderException.class, () -> decode(new ObjectDecoder(Integer.MAX_VALUE, LOADER), deep));
        assertEquals(StreamCorruptedException.class, e.getCause().getClass());
        assertEquals(StackOverflowError.class, e.getCause().getCause().getClass());
    }

    @Test
    void shouldNotTakeMemoryThatTheBytesCannotFill() {
        String[] bombs = {
            // byte[2147483647], Object[2147483647], and an ArrayList and a HashSet that claim to be that large
            "0575720000025b42acf317f8060854e002000078707fffffff",
            "0575720000135b4c6a6176612e6c616e672e4f626a6563743b90ce589f1073296c02000078707fffffff",
            "0573720100136a6176612e7574696c2e41727261794c69737478707fffffff77047fffffff",
            "0573720100116a6176612e7574696c2e486173685365747870770c0000000040000000007fffffff".replace("007fff", "7fff")
        };
        for (String bomb : bombs) {
            byte[] bytes = HexFormat.of().parseHex(bomb);
            ChannelBuffer frame = ChannelBuffers.dynamicBuffer();
            frame.writeInt(bytes.length);
            frame.writeBytes(bytes);
            CodecEmbedderException e =
                    assertThrows(CodecEmbedderException.class, () -> decode(new ObjectDecoder(LOADER), frame), bomb);
            assertTrue(e.getCause() instanceof IOException, () -> bomb + " threw " + e.getCause());
        }
    }

    @Test
    void shouldLimitTheSizeAndContinue() {
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(new ObjectDecoder(100, LOADER));
        CodecEmbedderException e =
                assertThrows(CodecEmbedderException.class, () -> embedder.offer(encode("x".repeat(100))));
        assertEquals(TooLongFrameException.class, e.getCause().getClass());
        embedder.offer(encode("ok"));
        assertEquals("ok", embedder.poll());
        ByteArrayInputStream large = new ByteArrayInputStream(HexFormat.of().parseHex("7fffffff05"));
        assertThrows(StreamCorruptedException.class, () -> new ObjectDecoderInputStream(large, 100).readObject());
        ByteArrayInputStream negative = new ByteArrayInputStream(HexFormat.of().parseHex("ffffffff05"));
        assertThrows(StreamCorruptedException.class, () -> new ObjectDecoderInputStream(negative).readObject());
    }

    // ---- bad input ----

    @Test
    void shouldThrowOnlyDocumentedExceptionsForDamagedObjects() throws Exception {
        Random random = Seeds.random();
        List<Object> samples = samples();
        samples.removeIf(sample -> sample instanceof String text && text.length() > 1000);
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(decoder());
        for (int i = 0; i < 20_000; i++) {
            ChannelBuffer good = encode(samples.get(random.nextInt(samples.size())));
            byte[] bad = new byte[good.readableBytes() - 4];
            good.getBytes(4, bad);
            if (random.nextInt(3) == 0) {
                bad = Arrays.copyOf(bad, random.nextInt(bad.length));
            }
            for (int flips = random.nextInt(3); flips > 0 && bad.length > 0; flips--) {
                bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
            }
            ChannelBuffer frame = ChannelBuffers.buffer(bad.length + 4);
            frame.writeInt(bad.length);
            frame.writeBytes(bad);
            try {
                embedder.offer(frame);
                embedder.poll();
            } catch (CodecEmbedderException e) {
                String hex = HexFormat.of().formatHex(bad);
                assertTrue(
                        e.getCause() instanceof IOException || e.getCause() instanceof ClassNotFoundException,
                        () -> e.getCause() + " for " + hex);
            }
        }
        embedder.offer(encode("alive"));
        assertEquals("alive", embedder.poll());
    }

    @Test
    void shouldRefuseToWriteObjectsThatAreNotSerializable() {
        CodecEmbedderException e = assertThrows(CodecEmbedderException.class, () -> encode(new Object()));
        assertEquals(NotSerializableException.class, e.getCause().getClass());
    }

    @Test
    void shouldRefuseBadArguments() {
        assertThrows(NullPointerException.class, () -> new ObjectDecoder(null));
        assertThrows(NullPointerException.class, () -> new ObjectDecoder(99, LOADER, null));
        assertThrows(IllegalArgumentException.class, () -> new ObjectDecoder(3, LOADER));
        assertThrows(IllegalArgumentException.class, () -> new ObjectEncoder(-1));
        assertThrows(IllegalArgumentException.class, () -> new CompatibleObjectEncoder(-1));
        assertThrows(
                IllegalArgumentException.class, () -> new ObjectEncoderOutputStream(new ByteArrayOutputStream(), -1));
        assertThrows(
                IllegalArgumentException.class,
                () -> new ObjectDecoderInputStream(new ByteArrayInputStream(new byte[0]), 0));
        assertThrows(NullPointerException.class, () -> new ObjectDecoderInputStream(null));
    }
}
