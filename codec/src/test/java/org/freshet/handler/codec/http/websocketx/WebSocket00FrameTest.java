package org.freshet.handler.codec.http.websocketx;

import static org.freshet.handler.codec.http.websocketx.Frames.hex;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.Arrays;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.embedder.DecoderSplitChecker;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Draft 00 frames. */
class WebSocket00FrameTest {
    @Test
    void shouldDecodeFrames() {
        byte[] input = hex("00 48656c6c6f ff" + "00 6d6f7265 ff" + "80 03 010203" + "00ff" + "80 00" + "80 8105"
                + "00".repeat(133) + "ff00" + "00 6c617465 ff");
        assertEquals(
                List.of(
                        "Text 'Hello'",
                        "Text 'more'",
                        "Binary 010203",
                        "Text ''",
                        "Binary ",
                        "Binary " + "00".repeat(133),
                        "Close -1 ''"),
                decode(new WebSocket00FrameDecoder(), input));
        DecoderSplitChecker.of(WebSocket00FrameDecoder::new)
                .comparing(Frames::describe)
                .check(input);
    }

    @ParameterizedTest
    @CsvSource({
        "0011223344556677889900112233, TooLong", // no end follows
        "0148ff, Malformed",
        "00c3ff, Malformed",
        "00eda080ff, Malformed",
        "800b, TooLong",
        "80ffffffffffffffffff7f, TooLong",
        "808080808080808080808005, TooLong",
        "80808080808080808005, TooLong", // a length of nine bytes
        "0080ff, Malformed",
    })
    void shouldRefuse(String bytes, String kind) {
        byte[] input = hex(bytes);
        MemoryChannel channel = MemoryChannel.connected(new WebSocket00FrameDecoder(10));
        channel.receive(ChannelBuffers.wrappedBuffer(input));
        List<Throwable> caught = channel.takeCaught();
        assertEquals(1, caught.size(), caught::toString);
        assertEquals(kind + "WebSocketFrameException", caught.get(0).getClass().getSimpleName());
        assertEquals(List.of("bytes ff00"), Frames.describe(channel.takeWritten()));
        assertFalse(channel.isOpen());
        DecoderSplitChecker.of(() -> new WebSocket00FrameDecoder(10))
                .comparing(Frames::describe)
                .check(input);
    }

    @Test
    void shouldDropAFrameThatTheEndOfTheConnectionCuts() {
        for (String frame : List.of("00", "00 4865", "80", "80 05", "80 05 01020304")) {
            WebSocket00FrameDecoder decoder = new WebSocket00FrameDecoder();
            MemoryChannel channel = MemoryChannel.connected(decoder);
            byte[] cut = hex(frame);
            channel.receive(ChannelBuffers.wrappedBuffer(cut));
            channel.close();
            assertEquals(List.of(), channel.takeReceived());
            assertEquals(List.of(), channel.takeCaught());
            assertEquals(cut.length, decoder.undecodedBytes());
        }
    }

    @Test
    void shouldReadALengthOfEightBytes() {
        assertEquals(
                List.of("Binary 0102030405"),
                decode(new WebSocket00FrameDecoder(10), hex("80 8080808080808005 0102030405")));
    }

    @Test
    void shouldEncodeFrames() {
        MemoryChannel channel = MemoryChannel.connected(new WebSocket00FrameEncoder());
        channel.write(new TextWebSocketFrame("Hello"));
        channel.write(new BinaryWebSocketFrame(ChannelBuffers.wrappedBuffer(hex("0102"))));
        channel.write(new BinaryWebSocketFrame());
        channel.write(new BinaryWebSocketFrame(ChannelBuffers.wrappedBuffer(new byte[133])));
        channel.write(new CloseWebSocketFrame(1000, "not sent"));
        assertEquals(
                List.of(
                        "bytes 0048656c6c6fff",
                        "bytes 80020102",
                        "bytes 8000",
                        "bytes 808105" + "00".repeat(133),
                        "bytes ff00"),
                Frames.describe(channel.takeWritten()));
    }

    @Test
    void shouldRefuseToEncodeFramesUnknownToTheDraft() {
        MemoryChannel channel = MemoryChannel.connected(new WebSocket00FrameEncoder());
        for (WebSocketFrame frame : List.of(
                new PingWebSocketFrame(),
                new PongWebSocketFrame(),
                new ContinuationWebSocketFrame(),
                new TextWebSocketFrame(false, 0, "x"),
                new TextWebSocketFrame(ChannelBuffers.wrappedBuffer(hex("ff"))),
                new TextWebSocketFrame(ChannelBuffers.wrappedBuffer(hex("41ff42"))))) {
            assertInstanceOf(
                    IllegalArgumentException.class, channel.write(frame).getCause());
        }
        assertEquals(List.of(), channel.takeWritten());
    }

    private static List<String> decode(WebSocket00FrameDecoder decoder, byte[] input) {
        MemoryChannel channel = MemoryChannel.connected(decoder);
        channel.receive(ChannelBuffers.wrappedBuffer(input));
        assertEquals(List.of(), channel.takeCaught());
        return Frames.describe(channel.takeReceived());
    }

    /** Lengths take seven bits of a byte each. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 127, 128, 133, 16_383, 16_384})
    void shouldDecodeWhatItEncodes(int length) {
        MemoryChannel channel = MemoryChannel.connected(new WebSocket00FrameEncoder());
        byte[] content = new byte[length];
        Arrays.fill(content, (byte) 0xff);
        channel.write(new BinaryWebSocketFrame(ChannelBuffers.wrappedBuffer(content)));
        ChannelBuffer encoded = (ChannelBuffer) channel.takeWritten().get(0);
        int lengthBytes = length < 128 ? 1 : length < 128 * 128 ? 2 : 3;
        assertEquals(1 + lengthBytes + length, encoded.readableBytes());
        byte[] bytes = new byte[encoded.readableBytes()];
        encoded.getBytes(0, bytes);
        assertEquals(List.of("Binary " + "ff".repeat(length)), decode(new WebSocket00FrameDecoder(), bytes));
    }
}
