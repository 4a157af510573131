package org.freshet.handler.codec.http.websocketx;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.zip.Deflater;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.internal.CoderPool;
import org.freshet.testing.Allocations;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What permessage-deflate makes of frames (RFC 7692, sections 6 and 7.2). */
class DeflateExtensionTest {
    private static final int RSV1 = 4;
    private static final int LIMIT = 1 << 20;

    /** "Hello" and its forms are the RFC's own (7.2.3). */
    private static final String HELLO = "f248cdc9c90700";

    private final int takenBefore = CoderPool.taken();
    private final List<WebSocketExtension> extensions = new ArrayList<>();

    @AfterEach
    void shouldHoldNoCoderAfterRelease() {
        extensions.forEach(WebSocketExtension::release);
        extensions.forEach(WebSocketExtension::release);
        assertEquals(takenBefore, CoderPool.taken(), "coders that were not returned");
    }

    // ---- receiving ----

    @Test
    void shouldInflateTheExamplesOfTheRfc() throws Exception {
        DeflateExtension receiver = extension(true);
        assertEquals("Hello", receive(receiver, true, HELLO));
        assertEquals("Hello", receive(receiver, true, "f200110000"), "refers to the message before");
        assertEquals("Hello", receive(receiver, true, "000500faff48656c6c6f00"), "a stored block");
        assertEquals("Hello", receive(receiver, true, "f348cdc9c9070000"), "a final block");
        assertEquals("Hello", receive(receiver, true, "f248050000" + "00ffffcac9c90700"), "two blocks");
        assertEquals("", receive(receiver, true, "00"), "an empty message");
    }

    @Test
    void shouldInflateAFragmentedMessage() throws Exception {
        DeflateExtension receiver = extension(true);
        byte[] deflated = HexFormat.of().parseHex(HELLO);
        for (int cut = 0; cut <= deflated.length; cut++) {
            String first = received(receiver, false, true, Arrays.copyOf(deflated, cut));
            ContinuationWebSocketFrame rest = new ContinuationWebSocketFrame();
            rest.setBinaryData(ChannelBuffers.wrappedBuffer(deflated, cut, deflated.length - cut));
            WebSocketFrame second = receiver.decode(rest);
            assertEquals("Hello", first + text(second), "cut at " + cut);
            assertEquals(0, second.getRsv());
        }
    }

    @ParameterizedTest
    @CsvSource({"true,true", "true,false", "false,true", "false,false"})
    void shouldInflateFinalBlocksAndBlocksAfterThem(boolean takeover, boolean trailingByte) throws Exception {
        byte[] text = randomText(5000);
        byte[] first = finished(Arrays.copyOf(text, 2000));
        byte[] second = finished(Arrays.copyOfRange(text, 2000, 5000));
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.write(first);
        message.write(second);
        if (trailingByte) {
            message.write(0);
        }
        DeflateExtension receiver = extension(takeover);
        for (int i = 0; i < 3; i++) {
            assertEquals(new String(text, UTF_8), received(receiver, true, true, message.toByteArray()));
        }
    }

    @Test
    void shouldRefuseDataThatIsNotDeflated() {
        for (boolean takeover : new boolean[] {true, false}) {
            MalformedWebSocketFrameException refusal = assertThrows(
                    MalformedWebSocketFrameException.class, () -> receive(extension(takeover), true, "ffffffff"));
            assertEquals(1007, refusal.closeCode());
        }
    }

    @Test
    void shouldRefuseAMessageThatBreaksOffInsideABlock() {
        byte[] deflated = messages(false, randomText(3000)).get(0);
        for (int cut : new int[] {1, 10, deflated.length / 2, deflated.length - 10}) {
            byte[] part = Arrays.copyOf(deflated, cut);
            assertThrows(
                    MalformedWebSocketFrameException.class,
                    () -> received(extension(false), true, true, part),
                    "cut at " + cut);
        }
    }

    @Test
    void shouldNotInflateReferencesToAnEarlierMessageWithoutContext() throws Exception {
        DeflateExtension receiver = extension(false);
        assertEquals("Hello", receive(receiver, true, HELLO));
        assertThrows(MalformedWebSocketFrameException.class, () -> receive(receiver, true, "f200110000"));
    }

    @Test
    void shouldPassMessagesThatAreNotDeflated() throws Exception {
        DeflateExtension receiver = extension(true);
        TextWebSocketFrame plain = new TextWebSocketFrame("plain");
        plain.setFinalFragment(false);
        assertSame(plain, receiver.decode(plain));
        ContinuationWebSocketFrame rest = new ContinuationWebSocketFrame(ChannelBuffers.wrappedBuffer(new byte[] {1}));
        assertSame(rest, receiver.decode(rest));
        assertEquals(1, rest.getBinaryData().readableBytes());
    }

    // ---- bombs ----

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldStopAtTheLimitAndNotAtTheEndOfABomb(boolean takeover) throws Exception {
        byte[] bomb = messages(false, new byte[200 << 20]).get(0);
        assertTrue(bomb.length < 300_000, "deflated length " + bomb.length);
        DeflateExtension receiver = extension(takeover);
        long allocated = Allocations.bytesOf(() -> {
            TooLongWebSocketFrameException refusal =
                    assertThrows(TooLongWebSocketFrameException.class, () -> received(receiver, true, true, bomb));
            assertEquals(1009, refusal.closeCode());
        });
        assertTrue(allocated < 4L * LIMIT, "allocated bytes: " + allocated);
    }

    @Test
    void shouldLimitAMessageOverItsFragments() throws Exception {
        byte[] half = new byte[LIMIT / 2];
        DeflateExtension sender = extension(false);
        DeflateExtension receiver = extension(true);
        assertEquals(
                LIMIT / 2,
                text(receiver.decode(sender.encode(fragment(true, false, half))))
                        .length());
        assertEquals(
                LIMIT / 2,
                text(receiver.decode(sender.encode(fragment(false, false, half))))
                        .length());
        WebSocketFrame last = sender.encode(fragment(false, true, new byte[1]));
        assertThrows(TooLongWebSocketFrameException.class, () -> receiver.decode(last));
    }

    @Test
    void shouldAcceptMessagesOfExactlyTheLimitOneAfterTheOther() throws Exception {
        byte[] message = randomText(LIMIT);
        DeflateExtension sender = extension(false);
        DeflateExtension receiver = extension(true);
        for (int i = 0; i < 3; i++) {
            WebSocketFrame received = receiver.decode(sender.encode(binary(message)));
            assertArrayEquals(message, bytes(received.getBinaryData()));
        }
    }

    /** Starting a stream takes far more time than the two bytes of an empty one. */
    @Test
    void shouldRefuseAMessageOfManyEmptyStreams() {
        byte[] streams = new byte[100_000];
        for (int i = 0; i < streams.length; i += 2) {
            streams[i] = 3;
        }
        assertThrows(MalformedWebSocketFrameException.class, () -> received(extension(false), true, true, streams));
    }

    // ---- sending ----

    @ParameterizedTest
    @ValueSource(ints = {8, 9, 10, 11, 12, 13, 14, 15})
    void shouldReferBackNoFurtherThanTheWindow(int windowBits) throws Exception {
        for (boolean takeover : new boolean[] {true, false}) {
            DeflateExtension sender =
                    track(new DeflateExtension(new DeflateExtension.Form(6, windowBits, 0), takeover, true, LIMIT));
            DeflateExtension receiver = extension(true);
            ByteArrayOutputStream stream = new ByteArrayOutputStream();
            ByteArrayOutputStream expected = new ByteArrayOutputStream();
            for (int size :
                    new int[] {1 << windowBits, 1, 0, 100, 255, 256, 257, 70_000, (1 << windowBits) - 1, 33_000}) {
                byte[] message = randomText(size);
                WebSocketFrame sent = sender.encode(binary(message));
                if (sent.getRsv() == RSV1) {
                    stream.write(bytes(sent.getBinaryData()));
                    stream.write(new byte[] {0, 0, (byte) 0xFF, (byte) 0xFF});
                    expected.write(message);
                }
                assertArrayEquals(message, bytes(receiver.decode(sent).getBinaryData()), "size " + size);
            }
            DeflateReader reader = DeflateReader.read(stream.toByteArray());
            assertArrayEquals(expected.toByteArray(), reader.output());
            assertTrue(reader.maxDistance() <= 1 << windowBits, "distance " + reader.maxDistance());
            assertTrue(reader.maxDistance() > (1 << windowBits) / 4, "distance " + reader.maxDistance());
        }
    }

    @Test
    void shouldNotCompressMessagesBelowTheThreshold() {
        DeflateExtension sender =
                track(new DeflateExtension(new DeflateExtension.Form(6, 15, 256), false, false, LIMIT));
        WebSocketFrame small = binary(new byte[255]);
        assertSame(small, sender.encode(small));
        WebSocketFrame large = binary(new byte[256]);
        WebSocketFrame sent = sender.encode(large);
        assertEquals(RSV1, sent.getRsv());
        assertTrue(sent.getBinaryData().readableBytes() < 20);
        assertEquals(256, large.getBinaryData().readableBytes(), "the frame itself was changed");
        assertEquals(0, large.getRsv());
    }

    @Test
    void shouldNotCompressMessagesThatDoNotShrink() {
        byte[] noise = new byte[4000];
        Seeds.random().nextBytes(noise);
        WebSocketFrame frame = binary(noise);
        assertSame(frame, extension(false).encode(frame));
    }

    @Test
    void shouldNotCompressMessagesDeclaredIncompressible() throws Exception {
        for (boolean takeover : new boolean[] {true, false}) {
            DeflateExtension sender = extension(takeover);
            WebSocketFrame whole = binary(new byte[4000]);
            whole.setCompressible(false);
            assertSame(whole, sender.encode(whole));
            WebSocketFrame first = fragment(true, false, new byte[4000]);
            first.setCompressible(false);
            assertSame(first, sender.encode(first));
            WebSocketFrame rest = fragment(false, true, new byte[4000]);
            assertSame(rest, sender.encode(rest), "the first frame decides");
            WebSocketFrame ready = binary(new byte[4000]);
            ready.setRsv(RSV1);
            assertSame(ready, sender.encode(ready), "deflated by the application");
        }
    }

    @Test
    void shouldKeepTheKindOfFrames() {
        DeflateExtension sender = extension(false);
        assertTrue(sender.encode(new TextWebSocketFrame("a".repeat(500))) instanceof TextWebSocketFrame);
        assertTrue(sender.encode(binary(new byte[500])) instanceof BinaryWebSocketFrame);
        assertTrue(sender.encode(fragment(true, false, new byte[1])) instanceof BinaryWebSocketFrame);
        WebSocketFrame last = sender.encode(fragment(false, true, new byte[1]));
        assertTrue(last instanceof ContinuationWebSocketFrame);
        assertTrue(last.isFinalFragment());
        assertEquals(0, last.getRsv());
    }

    @Test
    void shouldCompressMuchBetterInContext() throws Exception {
        byte[] message = randomText(600);
        DeflateExtension alone = extension(false);
        DeflateExtension inContext = extension(true);
        int first = inContext.encode(binary(message)).getBinaryData().readableBytes();
        int second = inContext.encode(binary(message)).getBinaryData().readableBytes();
        assertEquals(first, alone.encode(binary(message)).getBinaryData().readableBytes());
        assertTrue(second < 20, "again: " + second);
    }

    @Test
    void shouldRoundTripRandomFragmentsInAllModes() throws Exception {
        Random random = Seeds.random();
        for (int mode = 0; mode < 24; mode++) {
            boolean takeover = (mode & 1) != 0;
            DeflateExtension sender = track(new DeflateExtension(
                    new DeflateExtension.Form(1 + random.nextInt(9), 8 + mode % 8, 100), takeover, true, LIMIT));
            DeflateExtension receiver = extension(takeover);
            for (int message = 0; message < 20; message++) {
                int fragments = 1 + random.nextInt(4);
                for (int i = 0; i < fragments; i++) {
                    byte[] content = randomText(random.nextInt(3) == 0 ? 0 : random.nextInt(2000));
                    boolean isLast = i == fragments - 1;
                    WebSocketFrame frame = i == 0 ? fragment(true, isLast, content) : fragment(false, isLast, content);
                    WebSocketFrame received = receiver.decode(sender.encode(frame));
                    assertArrayEquals(content, bytes(received.getBinaryData()));
                    assertEquals(isLast, received.isFinalFragment());
                    assertEquals(0, received.getRsv());
                }
            }
        }
    }

    @Test
    void shouldDeflateBuffersOfEveryKind() throws Exception {
        byte[] message = randomText(3000);
        ChannelBuffer direct = ChannelBuffers.directBuffer(4000);
        direct.writeBytes(new byte[100]);
        direct.readerIndex(100);
        direct.writeBytes(message);
        ChannelBuffer composite =
                ChannelBuffers.wrappedBuffer(Arrays.copyOf(message, 1000), Arrays.copyOfRange(message, 1000, 3000));
        for (ChannelBuffer content :
                List.of(direct, composite, ChannelBuffers.wrappedBuffer(message).slice())) {
            for (int windowBits : new int[] {9, 15}) {
                DeflateExtension sender =
                        track(new DeflateExtension(new DeflateExtension.Form(6, windowBits, 0), false, false, LIMIT));
                WebSocketFrame sent = sender.encode(new BinaryWebSocketFrame(content));
                assertEquals(RSV1, sent.getRsv());
                ChannelBuffer deflated =
                        ChannelBuffers.directBuffer(sent.getBinaryData().readableBytes());
                deflated.writeBytes(bytes(sent.getBinaryData()));
                sent.setBinaryData(deflated);
                assertArrayEquals(message, bytes(extension(false).decode(sent).getBinaryData()));
                assertEquals(3000, content.readableBytes());
            }
        }
    }

    // ---- coders ----

    @Test
    void shouldHoldCodersOnlyInsideAMessageWithoutContext() throws Exception {
        DeflateExtension side = extension(false);
        side.decode(side.encode(binary(new byte[500])));
        assertEquals(takenBefore, CoderPool.taken());
        side.decode(side.encode(fragment(true, false, new byte[500])));
        assertEquals(takenBefore + 2, CoderPool.taken());
        side.decode(side.encode(fragment(false, true, new byte[500])));
        assertEquals(takenBefore, CoderPool.taken());
    }

    @Test
    void shouldHoldCodersUntilReleaseInContext() throws Exception {
        DeflateExtension side = extension(true);
        assertEquals(takenBefore, CoderPool.taken());
        side.decode(side.encode(binary(new byte[500])));
        assertEquals(takenBefore + 2, CoderPool.taken());
        side.release();
        assertEquals(takenBefore, CoderPool.taken());
        WebSocketFrame late = side.encode(binary(new byte[500]));
        assertEquals(takenBefore, CoderPool.taken(), "a late frame's coder was kept");
        assertEquals(500, extension(false).decode(late).getBinaryData().readableBytes());
    }

    @Test
    void shouldEndCodersOfFailedMessages() {
        for (boolean takeover : new boolean[] {true, false}) {
            assertThrows(MalformedWebSocketFrameException.class, () -> receive(extension(takeover), true, "ffff"));
            assertEquals(takenBefore, CoderPool.taken());
        }
    }

    // ---- helpers ----

    private DeflateExtension extension(boolean contextTakeover) {
        return track(
                new DeflateExtension(new DeflateExtension.Form(6, 15, 0), contextTakeover, contextTakeover, LIMIT));
    }

    private DeflateExtension track(DeflateExtension extension) {
        extensions.add(extension);
        return extension;
    }

    private static String receive(DeflateExtension receiver, boolean isLast, String hex) throws Exception {
        return received(receiver, isLast, true, HexFormat.of().parseHex(hex));
    }

    private static String received(DeflateExtension receiver, boolean isLast, boolean isDeflated, byte[] content)
            throws Exception {
        TextWebSocketFrame frame = new TextWebSocketFrame(ChannelBuffers.wrappedBuffer(content));
        frame.setFinalFragment(isLast);
        frame.setRsv(isDeflated ? RSV1 : 0);
        WebSocketFrame decoded = receiver.decode(frame);
        assertEquals(0, decoded.getRsv());
        return text(decoded);
    }

    private static String text(WebSocketFrame frame) {
        return frame.getBinaryData().toString(UTF_8);
    }

    private static byte[] bytes(ChannelBuffer buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.getBytes(buffer.readerIndex(), bytes);
        return bytes;
    }

    private static BinaryWebSocketFrame binary(byte[] content) {
        return new BinaryWebSocketFrame(ChannelBuffers.wrappedBuffer(content));
    }

    private static WebSocketFrame fragment(boolean isFirst, boolean isLast, byte[] content) {
        WebSocketFrame frame = isFirst ? new BinaryWebSocketFrame() : new ContinuationWebSocketFrame();
        frame.setBinaryData(ChannelBuffers.wrappedBuffer(content));
        frame.setFinalFragment(isLast);
        return frame;
    }

    /** The contents that a peer would send for messages. */
    private List<byte[]> messages(boolean contextTakeover, byte[]... contents) {
        DeflateExtension sender = extension(contextTakeover);
        List<byte[]> sent = new ArrayList<>();
        for (byte[] content : contents) {
            WebSocketFrame frame = sender.encode(binary(content));
            assertEquals(RSV1, frame.getRsv());
            sent.add(bytes(frame.getBinaryData()));
        }
        return sent;
    }

    /** A complete deflate stream whose last block is final. */
    private static byte[] finished(byte[] content) {
        Deflater deflater = new Deflater(6, true);
        deflater.setInput(content);
        deflater.finish();
        byte[] output = new byte[content.length + 64];
        int length = deflater.deflate(output);
        assertTrue(deflater.finished());
        deflater.end();
        return Arrays.copyOf(output, length);
    }

    /** Compressible, but not trivially: words repeat at all distances. */
    private static byte[] randomText(int size) {
        Random random = Seeds.random(size);
        StringBuilder text = new StringBuilder(size + 16);
        while (text.length() < size) {
            text.append("word").append(random.nextInt(200)).append(random.nextInt(10) == 0 ? "\n" : " ");
        }
        return text.substring(0, size).getBytes(UTF_8);
    }
}
