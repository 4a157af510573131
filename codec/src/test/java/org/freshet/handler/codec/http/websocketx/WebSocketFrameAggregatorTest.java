package org.freshet.handler.codec.http.websocketx;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

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
    void shouldRefuseInvalidLimits() {
        assertThrows(IllegalArgumentException.class, () -> new WebSocketFrameAggregator(0));
    }

    private static ChannelBuffer bytes(String latin1) {
        return ChannelBuffers.copiedBuffer(latin1, UTF_8);
    }
}
