package org.freshet.handler.codec.http.websocketx;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.CloseReason;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebSocketFrameAggregatorTest {
    private final MemoryChannel channel =
            MemoryChannel.connected(new WebSocketFrameAggregator(10), new WebSocket13FrameEncoder(false));

    @Test
    void shouldPassWholeMessagesAndControlFramesUnchanged() {
        for (Object message : List.of(
                new TextWebSocketFrame("0123456789"), new BinaryWebSocketFrame(), new PingWebSocketFrame(), "other")) {
            channel.receive(message);
            assertSame(message, channel.takeReceived().get(0));
        }
    }

    @Test
    void shouldJoinFragments() {
        channel.receive(new TextWebSocketFrame(false, 0, "ab"));
        channel.receive(new PingWebSocketFrame());
        channel.receive(new ContinuationWebSocketFrame(false, 0, "cdefgh"));
        channel.receive(new ContinuationWebSocketFrame(true, 0, "ij"));
        channel.receive(new BinaryWebSocketFrame(false, 2, bytes("")));
        channel.receive(new ContinuationWebSocketFrame(true, 0, bytes("x")));
        assertEquals(List.of("Ping ", "Text 'abcdefghij'", "Binary rsv2 78"), Frames.describe(channel.takeReceived()));
    }

    @Test
    void shouldJoinCharacterThatSpansFragments() {
        byte[] euro = "€".getBytes(UTF_8);
        channel.receive(new TextWebSocketFrame(false, 0, ChannelBuffers.wrappedBuffer(euro, 0, 1)));
        channel.receive(new ContinuationWebSocketFrame(true, 0, ChannelBuffers.wrappedBuffer(euro, 1, 2)));
        assertEquals(List.of("Text '€'"), Frames.describe(channel.takeReceived()));
    }

    /** CVE-2014-0193. */
    @Test
    void shouldRefuseMessageThatIsTooLongOverItsFragments() {
        channel.receive(new TextWebSocketFrame(false, 0, "0123456789"));
        channel.receive(new ContinuationWebSocketFrame(false, 0, ""));
        assertEquals(List.of(), channel.takeCaught());
        channel.receive(new ContinuationWebSocketFrame(false, 0, "x"));
        shouldHaveFailedWith1009();
        channel.receive(new TextWebSocketFrame("after"));
        assertEquals(List.of(), channel.takeReceived());
    }

    @Test
    void shouldRefuseMessageOfOneFrameThatIsTooLong() {
        channel.receive(new TextWebSocketFrame("0123456789x"));
        shouldHaveFailedWith1009();
    }

    private void shouldHaveFailedWith1009() {
        List<Throwable> caught = channel.takeCaught();
        assertEquals(1, caught.size(), caught::toString);
        assertInstanceOf(TooLongWebSocketFrameException.class, caught.get(0));
        assertEquals(List.of("bytes 880203f1"), Frames.describe(channel.takeWritten()));
        assertFalse(channel.isOpen());
        assertEquals(List.of(), channel.takeReceived());
    }

    @Test
    void shouldRefuseFramesThatDoNotFormAMessage() {
        channel.receive(new ContinuationWebSocketFrame(true, 0, "x"));
        assertInstanceOf(
                MalformedWebSocketFrameException.class, channel.takeCaught().get(0));
    }

    @Test
    void shouldRefuseAMessageInsideAnother() {
        channel.receive(new TextWebSocketFrame(false, 0, "a"));
        channel.receive(new BinaryWebSocketFrame(bytes("b")));
        assertInstanceOf(
                MalformedWebSocketFrameException.class, channel.takeCaught().get(0));
        assertEquals(List.of("bytes 880203ea"), Frames.describe(channel.takeWritten()));
        assertEquals(CloseReason.Kind.PROTOCOL, channel.getCloseReason().kind());
        channel.receive(new ContinuationWebSocketFrame(true, 0, "c"));
        assertEquals(List.of(), channel.takeReceived());
    }

    /** Whatever the sizes of the fragments and of the array that they are collected in. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 100, 255, 256, 257, 511, 512, 513, 600, 1000})
    void shouldJoinLongMessages(int fragmentBytes) {
        for (int length : new int[] {256, 257, 512, 513, 1000}) {
            MemoryChannel own = MemoryChannel.connected(new WebSocketFrameAggregator(1000));
            byte[] all = new byte[length];
            new Random(length).nextBytes(all);
            for (int at = 0; at < length; at += fragmentBytes) {
                int end = Math.min(length, at + fragmentBytes);
                ChannelBuffer part = ChannelBuffers.copiedBuffer(all, at, end - at);
                own.receive(
                        at == 0
                                ? new BinaryWebSocketFrame(false, 0, part)
                                : new ContinuationWebSocketFrame(false, 0, part));
            }
            own.receive(new ContinuationWebSocketFrame(true, 0, bytes("")));
            assertEquals(List.of("Binary " + HexFormat.of().formatHex(all)), Frames.describe(own.takeReceived()));
        }
    }

    @Test
    void shouldRefuseInvalidLimits() {
        assertThrows(IllegalArgumentException.class, () -> new WebSocketFrameAggregator(0));
        MemoryChannel smallest = MemoryChannel.connected(new WebSocketFrameAggregator(1));
        smallest.receive(new TextWebSocketFrame("a"));
        assertEquals(List.of("Text 'a'"), Frames.describe(smallest.takeReceived()));
    }

    private static ChannelBuffer bytes(String latin1) {
        return ChannelBuffers.copiedBuffer(latin1, UTF_8);
    }
}
