package org.freshet.handler.codec.http.websocketx;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.freshet.handler.codec.http.websocketx.Frames.concat;
import static org.freshet.handler.codec.http.websocketx.Frames.hex;
import static org.freshet.handler.codec.http.websocketx.Frames.masked;
import static org.freshet.handler.codec.http.websocketx.Frames.unmasked;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.CloseReason;
import org.freshet.handler.codec.embedder.DecoderSplitChecker;
import org.freshet.handler.codec.frame.CorruptedFrameException;
import org.freshet.handler.codec.frame.TooLongFrameException;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.testing.Allocations;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 6455's rules for received frames, byte by byte. */
class WebSocketFrameDecoderTest {
    private static final HttpLimits SMALL = HttpLimits.standard().toBuilder()
            .maxWebSocketFrameSize(200)
            .maxWebSocketMessageSize(300)
            .build();

    // ---- valid frames ----

    @ParameterizedTest
    @CsvSource({
        "818537fa213d7f9f4d5158, Text 'Hello'", // the examples of RFC 6455, section 5.7
        "898537fa213d7f9f4d5158, Ping 48656c6c6f",
        "8a8537fa213d7f9f4d5158, Pong 48656c6c6f",
        "818000000000, Text ''",
        "828337fa213d37fb3e, Binary 00011f",
        "888200000000 03e8, Close 1000 ''",
        "888500000000 0bb8 6f6b21, Close 3000 'ok!'",
        "888000000000, Close -1 ''",
    })
    void shouldDecodeMaskedFrame(String bytes, String expected) {
        assertEquals(List.of(expected), decodeAsServer(hex(bytes)));
    }

    @ParameterizedTest
    @CsvSource({
        "810548656c6c6f, Text 'Hello'",
        "890548656c6c6f, Ping 48656c6c6f",
        "8100, Text ''",
        "880203e8, Close 1000 ''",
    })
    void shouldDecodeUnmaskedFrame(String bytes, String expected) {
        assertEquals(List.of(expected), decodeAsClient(hex(bytes)));
    }

    @Test
    void shouldDecodeFragmentsAndFramesBetweenThem() {
        byte[] input =
                concat(masked(0x01, "Hel"), masked(0x89, "p"), masked(0x00, "lo"), masked(0x8a, ""), masked(0x80, "!"));
        assertEquals(
                List.of("Text more 48656c", "Ping 70", "Continuation more 6c6f", "Pong ", "Continuation 21"),
                decodeAsServer(input));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 125, 126, 127, 65535, 65536, 70001})
    void shouldDecodeEveryFormOfLength(int length) {
        byte[] content = someBytes(length);
        MemoryChannel channel = server();
        channel.receive(ChannelBuffers.wrappedBuffer(masked(0x82, content)));
        BinaryWebSocketFrame frame =
                (BinaryWebSocketFrame) channel.takeReceived().get(0);
        assertArrayEquals(content, bytes(frame.getBinaryData()));
        channel.receive(ChannelBuffers.wrappedBuffer(masked(0x89, content)));
        assertEquals(length <= 125 ? 1 : 0, channel.takeReceived().size(), "a control frame of 125 bytes at most");
    }

    @Test
    void shouldDecodeFrameThatArrivesInManyReads() {
        byte[] content = someBytes(70_001);
        byte[] input = masked(0x82, content);
        MemoryChannel channel = server();
        for (int from = 0; from < input.length; from += 997) {
            channel.receive(ChannelBuffers.copiedBuffer(input, from, Math.min(997, input.length - from)));
        }
        BinaryWebSocketFrame frame =
                (BinaryWebSocketFrame) channel.takeReceived().get(0);
        assertArrayEquals(content, bytes(frame.getBinaryData()));
    }

    @Test
    void shouldDecodeFromBuffersWithoutArray() {
        ChannelBuffer direct = ChannelBuffers.directBuffer(200);
        direct.writeBytes(concat(masked(0x81, "Grüße"), masked(0x82, new byte[130])));
        MemoryChannel channel = server();
        channel.receive(direct);
        assertEquals(List.of("Text 'Grüße'", "Binary " + "00".repeat(130)), Frames.describe(channel.takeReceived()));
    }

    @Test
    void shouldDecodeTheSameFromEverySplit() {
        DecoderSplitChecker server = DecoderSplitChecker.of(() -> new WebSocket13FrameDecoder(true, false))
                .comparing(Frames::describe);
        server.check(concat(
                masked(0x01, "Grü"),
                masked(0x89, "ping"),
                masked(0x80, "ße €𐍈"),
                masked(0x82, ""),
                masked(0x81, "x"),
                masked(0x88, concat(hex("03e8"), "bye".getBytes(UTF_8))),
                masked(0x81, "dropped")));
        server.check(concat(masked(0x82, new byte[126]), masked(0x81, "a")));
        DecoderSplitChecker client = DecoderSplitChecker.of(() -> new WebSocket13FrameDecoder(false, false))
                .comparing(Frames::describe);
        client.check(concat(unmasked(0x01, "Grü"), unmasked(0x8a, ""), unmasked(0x80, "ße"), unmasked(0x82, "12")));
    }

    // ---- frames that are refused ----

    @ParameterizedTest
    @CsvSource({
        "810548656c6c6f, frame from a client is not masked",
        "8100, frame from a client is not masked",
        "c18000000000, reserved bits 4 set in a frame with opcode 1",
        "a18000000000, reserved bits 2 set in a frame with opcode 1",
        "918000000000, reserved bits 1 set in a frame with opcode 1",
        "c98000000000, reserved bits 4 set in a frame with opcode 9",
        "838000000000, frame with reserved opcode 3",
        "848000000000, frame with reserved opcode 4",
        "858000000000, frame with reserved opcode 5",
        "868000000000, frame with reserved opcode 6",
        "878000000000, frame with reserved opcode 7",
        "8b8000000000, frame with reserved opcode 11",
        "8c8000000000, frame with reserved opcode 12",
        "8d8000000000, frame with reserved opcode 13",
        "8e8000000000, frame with reserved opcode 14",
        "8f8000000000, frame with reserved opcode 15",
        "098000000000, fragmented control frame with opcode 9",
        "0a8000000000, fragmented control frame with opcode 10",
        "088000000000, fragmented control frame with opcode 8",
        "89fe007e00000000, 'control frame of more than 125 bytes, with opcode 9'",
        "88ff0000000000010000, 'control frame of more than 125 bytes, with opcode 8'",
        "81fe007d00000000, 'frame length 125 is encoded in 2 bytes, not in the shortest form'",
        "81fe000000000000, 'frame length 0 is encoded in 2 bytes, not in the shortest form'",
        "81ff000000000000ffff00000000, 'frame length 65535 is encoded in 8 bytes, not in the shortest form'",
        "81ff800000000000000000000000, frame length with the highest bit set",
        "81ffffffffffffffffff00000000, frame length with the highest bit set",
        "808000000000, continuation frame outside a fragmented message",
        "008000000000, continuation frame outside a fragmented message",
        "018000000000 818000000000, new message inside a fragmented one",
        "028000000000 028000000000, new message inside a fragmented one",
        "888100000000 03, close frame with one byte of content",
    })
    void shouldRefuseWhatBreaksTheProtocol(String bytes, String message) {
        shouldRefuse(hex(bytes), 1002, message);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535})
    void shouldRefuseCloseCodeThatMayNotBeSent(int code) {
        shouldRefuse(masked(0x88, closeBody(code)), 1002, "close frame with the forbidden code " + code);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999})
    void shouldAcceptCloseCodeThatMayBeSent(int code) {
        assertEquals(List.of("Close " + code + " ''"), decodeAsServer(masked(0x88, closeBody(code))));
    }

    @Test
    void shouldRefuseCloseReasonThatIsNotUtf8() {
        shouldRefuse(masked(0x88, hex("03e8 cebae1bdb9cf83cebcceb5eda080")), 1007, "text that is not UTF-8");
        shouldRefuse(masked(0x88, hex("03e8 c3")), 1007, "text that is not UTF-8");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ff",
                "c0af",
                "e08080",
                "eda080",
                "edbfbf",
                "f0808080",
                "f4908080",
                "f888808080",
                "80",
                "c3",
                "e282",
                "f09080",
                "6f6bc328"
            })
    void shouldRefuseTextThatIsNotUtf8(String text) {
        shouldRefuse(masked(0x81, hex(text)), 1007, "text that is not UTF-8");
        byte[] inFragments = concat(masked(0x01, hex(text)), masked(0x80, hex("41")));
        shouldRefuse(inFragments, 1007, "text that is not UTF-8");
    }

    @Test
    void shouldAcceptCharacterThatSpansFragments() {
        byte[] input = concat(masked(0x01, hex("e2")), masked(0x00, hex("82")), masked(0x80, hex("ac")));
        assertEquals(List.of("Text more e2", "Continuation more 82", "Continuation ac"), decodeAsServer(input));
    }

    @Test
    void shouldRefuseTextAtItsFirstBadByteEvenIfTheFrameIsIncomplete() {
        MemoryChannel channel = server();
        channel.receive(ChannelBuffers.wrappedBuffer(Arrays.copyOf(masked(0x81, new byte[1000]), 8 + 3)));
        assertEquals(List.of(), channel.takeCaught());
        byte[] bad = hex("ff");
        bad[0] ^= (byte) 0x3d; // the fourth byte of the mask
        channel.receive(ChannelBuffers.wrappedBuffer(bad));
        assertEquals(1007, ((WebSocketFailure) channel.takeCaught().get(0)).closeCode());
    }

    @Test
    void shouldNotValidateBinaryOrControlFramesAsText() {
        byte[] input = concat(
                masked(0x82, hex("ff")), masked(0x89, hex("fe")), masked(0x02, hex("c3")), masked(0x80, hex("ff")));
        assertEquals(List.of("Binary ff", "Ping fe", "Binary more c3", "Continuation ff"), decodeAsServer(input));
    }

    @Test
    void shouldNotValidateControlFramesWithinATextAsText() {
        byte[] input = concat(masked(0x01, hex("c3")), masked(0x89, hex("fe")), masked(0x80, hex("a9")));
        assertEquals(List.of("Text more c3", "Ping fe", "Continuation a9"), decodeAsServer(input));
    }

    @Test
    void shouldDecodeAFrameWithoutContentWhoseMaskArrivesLater() {
        MemoryChannel channel = server();
        channel.receive(ChannelBuffers.wrappedBuffer(hex("8980")));
        channel.receive(ChannelBuffers.wrappedBuffer(hex("37fa213d")));
        assertEquals(List.of("Ping "), Frames.describe(channel.takeReceived()));
    }

    @Test
    void shouldAcceptNoContentIfTheLimitIsZero() {
        MemoryChannel channel = MemoryChannel.connected(new WebSocket13FrameDecoder(true, false, 0));
        channel.receive(ChannelBuffers.wrappedBuffer(masked(0x82, "")));
        assertEquals(List.of("Binary "), Frames.describe(channel.takeReceived()));
        channel.receive(ChannelBuffers.wrappedBuffer(masked(0x82, "x")));
        assertEquals(1009, ((WebSocketFailure) channel.takeCaught().get(0)).closeCode());
        assertEquals(CloseReason.Kind.PROTOCOL, channel.getCloseReason().kind());
        assertThrows(IllegalArgumentException.class, () -> new WebSocket13FrameDecoder(true, false, -1));
    }

    private static MemoryChannel serverWith(WebSocketExtension extension) {
        return MemoryChannel.connected(
                new WebSocket13FrameDecoder(true, false, HttpLimits.standard(), List.of(extension)));
    }

    @Test
    void shouldCheckTextAsItArrivesIfNoExtensionChangesIt() {
        MemoryChannel channel = serverWith(new ReverseExtension.Reverse());
        byte[] frame = masked(0x81, new byte[1000]);
        frame[8] ^= (byte) 0xff;
        channel.receive(ChannelBuffers.wrappedBuffer(Arrays.copyOf(frame, 9)));
        assertEquals(1007, ((WebSocketFailure) channel.takeCaught().get(0)).closeCode());
    }

    @Test
    void shouldCheckTextOnlyOnceIfNoExtensionChangesIt() {
        MemoryChannel channel = serverWith(new ReverseExtension.Reverse());
        channel.receive(ChannelBuffers.wrappedBuffer(concat(masked(0x01, hex("c3")), masked(0x80, hex("a9")))));
        assertEquals(List.of("Text more c3", "Continuation a9"), Frames.describe(channel.takeReceived()));
        assertEquals(List.of(), channel.takeCaught());
    }

    /** An extension may change frames that have none of its bits, or have no bits. */
    private abstract static class Plain implements WebSocketExtension {
        @Override
        public int rsv() {
            return 0;
        }

        @Override
        public WebSocketFrame encode(WebSocketFrame frame) {
            return frame;
        }

        @Override
        public void release() {}
    }

    @Test
    void shouldPassEachMessageFrameThroughAnExtensionWithoutBits() {
        MemoryChannel channel = serverWith(new Plain() {
            @Override
            public WebSocketFrame decode(WebSocketFrame frame) {
                return new TextWebSocketFrame("decoded");
            }
        });
        channel.receive(ChannelBuffers.wrappedBuffer(concat(masked(0x82, "x"), masked(0x89, "y"))));
        assertEquals(List.of("Text 'decoded'", "Ping 79"), Frames.describe(channel.takeReceived()));
    }

    @Test
    void shouldEndTheConnectionIfAnExtensionFails() {
        MemoryChannel channel = serverWith(new Plain() {
            @Override
            public WebSocketFrame decode(WebSocketFrame frame) {
                throw new IllegalStateException("a fault");
            }
        });
        channel.receive(ChannelBuffers.wrappedBuffer(masked(0x82, "x")));
        assertInstanceOf(IllegalStateException.class, channel.takeCaught().get(0));
        assertEquals(List.of("bytes 880203ea"), Frames.describe(channel.takeWritten()));
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldRefuseMaskedFrameFromServer() {
        MemoryChannel channel = MemoryChannel.connected(new WebSocket13FrameDecoder(false, false));
        channel.receive(ChannelBuffers.wrappedBuffer(masked(0x81, "Hello")));
        Throwable failure = channel.takeCaught().get(0);
        assertInstanceOf(CorruptedFrameException.class, failure);
        assertEquals("frame from a server is masked", failure.getMessage());
        byte[] sent = bytes((ChannelBuffer) channel.takeWritten().get(0));
        assertEquals(0x88, sent[0] & 0xff);
        assertEquals(0x82, sent[1] & 0xff, "a client's close frame is masked");
        assertEquals(1002, ((sent[6] ^ sent[2]) & 0xff) << 8 | (sent[7] ^ sent[3]) & 0xff);
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldPassReservedBitsIfExtensionsAreAllowed() {
        MemoryChannel channel = MemoryChannel.connected(new WebSocket13FrameDecoder(false, true));
        channel.receive(ChannelBuffers.wrappedBuffer(concat(unmasked(0xc1, "x"), unmasked(0xf2, "y"))));
        assertEquals(List.of("Text rsv4 78", "Binary rsv7 79"), Frames.describe(channel.takeReceived()));
    }

    // ---- limits ----

    @Test
    void shouldRefuseFrameThatIsTooLongBeforeAnyOfItsContent() {
        MemoryChannel channel = MemoryChannel.connected(new WebSocket13FrameDecoder(true, false, SMALL, List.of()));
        channel.receive(ChannelBuffers.wrappedBuffer(hex("82fe00c9")));
        shouldHaveFailed(channel, 1009, "frame of more than 200 bytes");
    }

    @Test
    void shouldAcceptFrameOfTheLargestLength() {
        MemoryChannel channel = MemoryChannel.connected(new WebSocket13FrameDecoder(true, false, SMALL, List.of()));
        channel.receive(ChannelBuffers.wrappedBuffer(masked(0x82, new byte[200])));
        assertEquals(1, channel.takeReceived().size());
    }

    /** CVE-2014-0193. */
    @Test
    void shouldRefuseMessageThatIsTooLongOverItsFragments() {
        MemoryChannel channel = MemoryChannel.connected(new WebSocket13FrameDecoder(true, false, SMALL, List.of()));
        channel.receive(ChannelBuffers.wrappedBuffer(
                concat(masked(0x01, new byte[150]), masked(0x89, new byte[100]), masked(0x00, new byte[150]))));
        assertEquals(3, channel.takeReceived().size());
        channel.receive(ChannelBuffers.wrappedBuffer(masked(0x80, new byte[1])));
        shouldHaveFailed(channel, 1009, "message of more than 300 bytes");
    }

    @Test
    void shouldCountEachMessageSeparately() {
        MemoryChannel channel = MemoryChannel.connected(new WebSocket13FrameDecoder(true, false, SMALL, List.of()));
        for (int i = 0; i < 10; i++) {
            channel.receive(ChannelBuffers.wrappedBuffer(
                    concat(masked(0x02, new byte[150]), masked(0x80, new byte[150]), masked(0x82, new byte[200]))));
        }
        assertEquals(30, channel.takeReceived().size());
    }

    @Test
    void shouldHaveFiniteLimitsByDefault() {
        int maxFrame = HttpLimits.defaults().maxWebSocketFrameSize();
        for (WebSocket08FrameDecoder decoder :
                List.of(new WebSocket08FrameDecoder(true, false), new WebSocket13FrameDecoder(true, false))) {
            MemoryChannel channel = MemoryChannel.connected(decoder);
            channel.receive(ChannelBuffers.wrappedBuffer(hex(String.format("82ff%016x", maxFrame + 1L))));
            shouldHaveFailed(channel, 1009, "frame of more than " + maxFrame + " bytes");
        }
        assertThrows(IllegalArgumentException.class, () -> new WebSocket13FrameDecoder(true, false, -1));
    }

    @Test
    void shouldTakeMemoryForWhatCameAndNotForWhatWasAnnounced() {
        MemoryChannel channel = server();
        channel.receive(ChannelBuffers.wrappedBuffer(masked(0x81, "warm")));
        byte[] start = Arrays.copyOf(masked(0x82, new byte[15 * 1024 * 1024]), 14 + 100);
        ChannelBuffer read = ChannelBuffers.wrappedBuffer(start);
        long allocated = Allocations.bytesOf(() -> channel.receive(read));
        assertTrue(allocated < 100_000, () -> "100 bytes of a frame of 15 MiB received; allocated: " + allocated);
        assertEquals(List.of("Text 'warm'"), Frames.describe(channel.takeReceived()));
    }

    // ---- the end ----

    @Test
    void shouldDropBytesAfterCloseFrame() {
        byte[] input = concat(masked(0x88, closeBody(1000)), masked(0x81, "late"), hex("ffffff"));
        assertEquals(List.of("Close 1000 ''"), decodeAsServer(input));
    }

    @Test
    void shouldDropBytesAfterFailure() {
        MemoryChannel channel = server().holdWrites();
        channel.receive(ChannelBuffers.wrappedBuffer(hex("830000")));
        channel.receive(ChannelBuffers.wrappedBuffer(masked(0x81, "late")));
        assertEquals(1, channel.takeCaught().size());
        assertEquals(List.of(), channel.takeReceived());
        assertTrue(channel.isOpen(), "until the close frame is written");
        channel.completeWrites();
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldDropFrameTruncatedByTheEndOfTheConnection() {
        MemoryChannel channel = server();
        channel.receive(ChannelBuffers.wrappedBuffer(Arrays.copyOf(masked(0x81, "Hello"), 8)));
        channel.close();
        assertEquals(List.of(), channel.takeReceived());
        assertEquals(List.of(), channel.takeCaught());
    }

    @Test
    void shouldLetSubclassCheckCloseFrames() {
        List<String> seen = new ArrayList<>();
        MemoryChannel channel = MemoryChannel.connected(new WebSocket08FrameDecoder(true, false) {
            @Override
            protected void checkCloseFrameBody(org.freshet.channel.Channel channel, ChannelBuffer buffer)
                    throws CorruptedFrameException {
                seen.add(ChannelBuffers.hexDump(buffer));
                super.checkCloseFrameBody(channel, buffer);
            }
        });
        channel.receive(ChannelBuffers.wrappedBuffer(masked(0x88, closeBody(1001))));
        assertEquals(List.of("03e9"), seen);
    }

    // ---- helpers ----

    private static MemoryChannel server() {
        return MemoryChannel.connected(new WebSocket13FrameDecoder(true, false));
    }

    private static List<String> decodeAsServer(byte[] input) {
        return decode(server(), input);
    }

    private static List<String> decodeAsClient(byte[] input) {
        return decode(MemoryChannel.connected(new WebSocket13FrameDecoder(false, false)), input);
    }

    private static List<String> decode(MemoryChannel channel, byte[] input) {
        channel.receive(ChannelBuffers.wrappedBuffer(input));
        assertEquals(List.of(), channel.takeCaught());
        return Frames.describe(channel.takeReceived());
    }

    private static void shouldRefuse(byte[] input, int code, String message) {
        MemoryChannel channel = server();
        channel.receive(ChannelBuffers.wrappedBuffer(input));
        shouldHaveFailed(channel, code, message);
        DecoderSplitChecker.of(() -> new WebSocket13FrameDecoder(true, false))
                .comparing(Frames::describe)
                .check(input);
    }

    private static void shouldHaveFailed(MemoryChannel channel, int code, String message) {
        List<Throwable> caught = channel.takeCaught();
        assertEquals(1, caught.size(), caught::toString);
        assertEquals(message, caught.get(0).getMessage());
        Class<?> expected = code == 1009 ? TooLongFrameException.class : CorruptedFrameException.class;
        assertInstanceOf(expected, caught.get(0));
        assertEquals(code, ((WebSocketFailure) caught.get(0)).closeCode());
        assertEquals(List.of(String.format("bytes 8802%04x", code)), Frames.describe(channel.takeWritten()));
        assertFalse(channel.isOpen());
    }

    private static byte[] closeBody(int code) {
        return new byte[] {(byte) (code >>> 8), (byte) code};
    }

    private static byte[] someBytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 31);
        }
        return bytes;
    }

    private static byte[] bytes(ChannelBuffer buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.getBytes(buffer.readerIndex(), bytes);
        return bytes;
    }
}
