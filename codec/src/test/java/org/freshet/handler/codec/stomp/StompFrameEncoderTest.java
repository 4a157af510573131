package org.freshet.handler.codec.stomp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.CloseReason;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteOverflow;
import org.freshet.channel.WriteOverflowException;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** In encoded text, {@code ^} stands for NUL. */
class StompFrameEncoderTest {
    private final MemoryChannel channel = MemoryChannel.connected(new StompFrameDecoder(), new StompFrameEncoder());

    private static StompFrame frame(StompCommand command, String... headers) {
        StompFrame frame = new StompFrame(command);
        for (int i = 0; i < headers.length; i += 2) {
            frame.headers().add(headers[i], headers[i + 1]);
        }
        return frame;
    }

    private static ChannelBuffer bytes(String text) {
        return ChannelBuffers.wrappedBuffer(StompText.wire(text));
    }

    /** The output for a message. */
    private String encode(Object message) {
        ChannelFuture future = channel.write(message);
        assertTrue(future.isSuccess(), () -> "" + future.getCause());
        StringBuilder written = new StringBuilder();
        for (Object buffer : channel.takeWritten()) {
            written.append(StompText.wire((ChannelBuffer) buffer));
        }
        return written.toString();
    }

    /** The failure of a message that was not written at all. */
    private Throwable failureOf(Object message) {
        ChannelFuture future = channel.write(message);
        assertNotNull(future.getCause(), () -> "written: " + channel.takeWritten());
        assertEquals(List.of(), channel.takeWritten());
        channel.takeCaught();
        return future.getCause();
    }

    private void assertRefused(String message, StompFrame frame) {
        Throwable failure = failureOf(frame);
        assertTrue(failure instanceof IllegalArgumentException, failure.toString());
        assertEquals(message, failure.getMessage());
    }

    private void agreeOn(StompVersion version) {
        StompFrame connected = frame(StompCommand.CONNECTED);
        if (version != StompVersion.V1_0) {
            connected.headers().set(StompHeaders.VERSION, version.toString());
        }
        encode(connected);
    }

    /** Headers may be larger than the content, and wait just as long. */
    @Test
    void shouldCountHeadersInTheWriteAccount() {
        StompFrame frame = frame(StompCommand.MESSAGE, "destination", "/a", "note", "x".repeat(60_000));
        long waiting = WriteAccount.bytesOf(frame);
        assertTrue(waiting >= 60_000 && waiting < 61_000, () -> waiting + " bytes");
    }

    @Test
    void shouldEncodeFramesWithAndWithoutContent() {
        assertEquals("DISCONNECT\nreceipt:7\n\n^", encode(frame(StompCommand.DISCONNECT, "receipt", "7")));
        assertEquals(
                "SEND\na:b\n\nhello^", encode(frame(StompCommand.SEND, "a", "b").setContent(bytes("hello"))));
        String content = "x".repeat(5000);
        assertEquals(
                "SEND\na:b\n\n" + content + "^",
                encode(frame(StompCommand.SEND, "a", "b").setContent(bytes(content))));
        assertEquals("MESSAGE\n12 €:\uD83D\uDE00ß\n\n^", encode(frame(StompCommand.MESSAGE, "12 €", "\uD83D\uDE00ß")));
    }

    @Test
    void shouldCountTheContentOfQueuedFrames() {
        StompFrame frame = frame(StompCommand.SEND).setContent(bytes("x".repeat(5000)));
        assertEquals(WriteAccount.costOf(5000), WriteAccount.bytesOf(frame));
        assertEquals(WriteAccount.costOf(5000), WriteAccount.bytesOf(new StompChunk(bytes("x".repeat(5000)))));
    }

    /** CVE-2026-59920: line ends, colons and NUL in headers. */
    @Test
    void shouldEscapeAsTheVersionSays() {
        assertEquals("SEND\na\\cb:\\\\x\\r\\n\\c\n\n^", encode(frame(StompCommand.SEND, "a:b", "\\x\r\n:")));
        agreeOn(StompVersion.V1_1);
        assertEquals("SEND\na\\cb:\\\\x\\n\\c\n\n^", encode(frame(StompCommand.SEND, "a:b", "\\x\n:")));
        assertRefused(
                "a header in version 1.1 cannot contain the character 13: x\\r", frame(StompCommand.SEND, "a", "x\r"));
    }

    @Test
    void shouldRefuseWhatCannotBeExpressedWithoutEscapes() {
        for (StompCommand command : List.of(StompCommand.CONNECT, StompCommand.STOMP, StompCommand.CONNECTED)) {
            assertRefused(
                    "a header in a frame without escapes cannot contain the character 10: x\\ny",
                    frame(command, "a", "x\ny"));
            assertRefused(
                    "a header in a frame without escapes cannot contain the character 13: x\\r",
                    frame(command, "x\r", "y"));
            assertRefused(
                    "a header in a frame without escapes cannot contain the character 58: a:b",
                    frame(command, "a:b", "y"));
        }
        assertEquals("CONNECT\npasscode:a:\\b\n\n^", encode(frame(StompCommand.CONNECT, "passcode", "a:\\b")));
        agreeOn(StompVersion.V1_0);
        assertRefused(
                "a header in a frame without escapes cannot contain the character 10: \\n",
                frame(StompCommand.SEND, "a", "\n"));
        assertEquals("SEND\na:b:\\c\n\n^", encode(frame(StompCommand.SEND, "a", "b:\\c")));
    }

    @Test
    void shouldRefuseNulEmptyNamesAndHalfPairs() {
        StompHeaders headers = new StompHeaders();
        assertThrows(IllegalArgumentException.class, () -> headers.add("a", "b\0"));
        assertThrows(IllegalArgumentException.class, () -> headers.set("a\0", "b"));
        assertThrows(IllegalArgumentException.class, () -> headers.add("", "b"));
        assertThrows(NullPointerException.class, () -> headers.add("a", null));
        assertTrue(headers.isEmpty());
        assertRefused("header contains half a surrogate pair, at index 1", frame(StompCommand.SEND, "a", "b\uD83Dc"));
    }

    @Test
    void shouldCheckTheLengthOfContent() {
        assertEquals(
                "SEND\ncontent-length:2\n\nhi^",
                encode(frame(StompCommand.SEND, "content-length", "2").setContent(bytes("hi"))));
        assertTrue(
                failureOf(frame(StompCommand.SEND, "content-length", "3").setContent(bytes("hi")))
                        instanceof IllegalArgumentException);
        assertTrue(
                failureOf(frame(StompCommand.SEND, "content-length", "x").setContent(bytes("hi")))
                        instanceof IllegalArgumentException);
        assertEquals(
                "SEND\ncontent-length:3\n\na^b^",
                encode(frame(StompCommand.SEND).setContent(bytes("a^b"))));
        assertRefused(
                "only SEND, MESSAGE and ERROR may have content: ACK {id: 1}, 2 bytes",
                frame(StompCommand.ACK, "id", "1").setContent(bytes("hi")));
        agreeOn(StompVersion.V1_0);
        assertEquals(
                "ACK\nid:1\n\nhi^", encode(frame(StompCommand.ACK, "id", "1").setContent(bytes("hi"))));
    }

    @Test
    void shouldEncodeChunks() {
        assertEquals(
                "SEND\ncontent-length:5\n\n",
                encode(frame(StompCommand.SEND, "content-length", "5").setChunked(true)));
        assertEquals("a^b", encode(new StompChunk(bytes("a^b"))));
        assertTrue(failureOf(frame(StompCommand.BEGIN)) instanceof IllegalStateException);
        assertTrue(failureOf(new StompChunk(bytes("cde"))) instanceof IllegalArgumentException);
        assertTrue(failureOf(StompChunk.LAST) instanceof IllegalStateException);
        assertEquals("cd", encode(new StompChunk(bytes("cd"))));
        assertEquals("^", encode(StompChunk.LAST));
        assertTrue(failureOf(new StompChunk(bytes("a"))) instanceof IllegalStateException);
        assertEquals("SEND\n\n", encode(frame(StompCommand.SEND).setChunked(true)));
        assertTrue(failureOf(new StompChunk(bytes("a^"))) instanceof IllegalArgumentException);
        assertEquals("a", encode(new StompChunk(bytes("a"))));
        assertEquals("^", encode(StompChunk.LAST));
        assertEquals("BEGIN\n\n^", encode(frame(StompCommand.BEGIN)));
    }

    @Test
    void shouldPassOtherMessages() {
        channel.write("text");
        assertSame("text", channel.takeWritten().get(0));
    }

    @Test
    void shouldKeepTheOrderOfHeaders() {
        StompHeaders headers =
                new StompHeaders().add("a", "1").add("b", "2").add("a", "3").add("c", "4");
        assertEquals("1", headers.get("a"));
        headers.set("a", "5");
        assertEquals("{a: 5, b: 2, c: 4}", headers.toString());
        headers.remove("b");
        assertEquals(new StompHeaders().add("a", "5").add("c", "4"), headers);
        assertEquals(new StompHeaders().add("a", "5").add("c", "4").hashCode(), headers.hashCode());
        StringBuilder seen = new StringBuilder();
        for (Map.Entry<String, String> header : headers) {
            seen.append(header);
        }
        assertEquals("a=5c=4", seen.toString());
    }

    @Test
    void shouldChooseTheHighestVersionThatBothSupport() {
        assertEquals(StompVersion.V1_0, StompVersion.highestOf(null));
        assertEquals(StompVersion.V1_1, StompVersion.highestOf("1.0,1.1,2.0"));
        assertEquals(StompVersion.V1_2, StompVersion.highestOf("1.2, 1.0"));
        assertEquals(null, StompVersion.highestOf("2.0"));
    }

    // ---- round trips ----

    @ParameterizedTest
    @EnumSource(StompVersion.class)
    void shouldDecodeEncodedFrames(StompVersion version) {
        Random random = Seeds.random(version.ordinal());
        agreeOn(version);
        StompText.DecoderFactory decoders = () -> new StompFrameDecoder(4096, 128, 50, 1000);
        for (int i = 0; i < 2000; i++) {
            StompFrame frame = randomFrame(random, version);
            String expected = frame.headers() + "|" + StompText.wire(frame.content());
            MemoryChannel reader = MemoryChannel.connected(decoders.create(), new StompFrameAggregator(1000));
            String encoded = encode(frame);
            if (version != StompVersion.V1_2) {
                String connected = version == StompVersion.V1_0 ? "CONNECTED\n\n^" : "CONNECTED\nversion:1.1\n\n^";
                reader.receive(bytes(connected));
                reader.takeReceived();
            }
            receiveInPieces(reader, StompText.wire(encoded), random);
            List<Object> received = reader.takeReceived();
            assertEquals(1, received.size(), () -> encoded + " " + reader.takeCaught());
            StompFrame decoded = (StompFrame) received.get(0);
            decoded.headers().remove(StompHeaders.CONTENT_LENGTH);
            assertEquals(expected, decoded.headers() + "|" + StompText.wire(decoded.content()), encoded);
            assertEquals(frame.command(), decoded.command());
        }
    }

    private static void receiveInPieces(MemoryChannel reader, byte[] bytes, Random random) {
        for (int start = 0; start < bytes.length; ) {
            int length = Math.min(bytes.length - start, 1 + random.nextInt(40));
            reader.receive(ChannelBuffers.copiedBuffer(bytes, start, length));
            start += length;
        }
    }

    private static StompFrame randomFrame(Random random, StompVersion version) {
        boolean hasContent = random.nextBoolean();
        StompCommand command = hasContent ? StompCommand.MESSAGE : StompCommand.ACK;
        StompFrame frame = new StompFrame(command);
        String alphabet = "ab c" + "äß€\uD83D\uDE00" + (version == StompVersion.V1_0 ? "" : ":\\\n")
                + (version == StompVersion.V1_2 ? "\r" : "");
        for (int i = random.nextInt(10); i > 0; i--) {
            frame.headers().add("n" + randomText(random, alphabet), randomText(random, alphabet));
        }
        if (hasContent) {
            frame.setContent(bytes(randomText(random, "abc\n^:\\").repeat(random.nextInt(10))));
        }
        return frame;
    }

    private static String randomText(Random random, String alphabet) {
        int[] characters = alphabet.codePoints().toArray();
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(12); i > 0; i--) {
            text.appendCodePoint(characters[random.nextInt(characters.length)]);
        }
        return text.toString();
    }

    // ---- what is refused ----

    private void fill() {
        channel.holdWrites();
        channel.turnWritable(false);
        channel.limit((int) WriteAccount.waitingBytes(channel), WriteOverflow.FAIL);
    }

    /** Otherwise the next frame would be read as the rest of the content. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCloseIfAPartOfAChunkedFrameIsRefused(boolean isHead) {
        StompFrame head = frame(StompCommand.SEND, "content-length", "5").setChunked(true);
        if (!isHead) {
            encode(head);
        }
        fill();
        ChannelFuture refused = channel.write(isHead ? head : new StompChunk(bytes("abcde")));
        assertTrue(refused.getCause() instanceof WriteOverflowException);
        assertFalse(channel.isOpen());
        assertEquals(CloseReason.Kind.OVERFLOW, channel.getCloseReason().kind());
    }

    @Test
    void shouldStayOpenIfAWholeFrameIsRefused() {
        fill();
        ChannelFuture refused = channel.write(frame(StompCommand.SEND, "destination", "a"));
        assertTrue(refused.getCause() instanceof WriteOverflowException);
        assertTrue(channel.isOpen());
    }
}
