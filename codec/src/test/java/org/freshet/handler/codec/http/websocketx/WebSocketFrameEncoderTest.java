package org.freshet.handler.codec.http.websocketx;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.freshet.handler.codec.http.websocketx.Frames.hex;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.group.ChannelGroup;
import org.freshet.channel.group.DefaultChannelGroup;
import org.freshet.handler.codec.frame.TooLongFrameException;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.testing.Allocations;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames as sent. */
class WebSocketFrameEncoderTest {
    // ---- bytes ----

    @Test
    void shouldEncodeEveryKindOfFrame() {
        assertEquals("810548656c6c6f", sent(new TextWebSocketFrame("Hello")));
        assertEquals("0103 48656c".replace(" ", ""), sent(new TextWebSocketFrame(false, 0, "Hel")));
        assertEquals("80026c6f", sent(new ContinuationWebSocketFrame(true, 0, "lo")));
        assertEquals("8203010203", sent(new BinaryWebSocketFrame(bytes("010203"))));
        assertEquals("890170", sent(new PingWebSocketFrame(bytes("70"))));
        assertEquals("8a00", sent(new PongWebSocketFrame()));
        assertEquals("880503e8627965", sent(new CloseWebSocketFrame(1000, "bye")));
        assertEquals("8800", sent(new CloseWebSocketFrame()));
        assertEquals("d101 78".replace(" ", ""), sent(new TextWebSocketFrame(true, 5, "x")));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 125, 126, 65535, 65536, 100_000})
    void shouldEncodeFramesThatTheDecoderReads(int length) {
        byte[] content = new byte[length];
        for (int i = 0; i < length; i++) {
            content[i] = (byte) (i * 7);
        }
        for (boolean fromClient : new boolean[] {true, false}) {
            MemoryChannel sender = MemoryChannel.connected(new WebSocket13FrameEncoder(fromClient));
            MemoryChannel receiver = MemoryChannel.connected(new WebSocket13FrameDecoder(fromClient, false));
            sender.write(new BinaryWebSocketFrame(ChannelBuffers.wrappedBuffer(content)));
            sender.takeWritten().forEach(receiver::receive);
            BinaryWebSocketFrame received =
                    (BinaryWebSocketFrame) receiver.takeReceived().get(0);
            assertEquals(ChannelBuffers.wrappedBuffer(content), received.getBinaryData());
        }
    }

    @Test
    void shouldMaskEachFrameOfClientDifferently() {
        MemoryChannel client = MemoryChannel.connected(new WebSocket13FrameEncoder(true));
        Set<String> masks = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            client.write(new TextWebSocketFrame("Hello"));
        }
        for (Object written : client.takeWritten()) {
            byte[] frame = array((ChannelBuffer) written);
            assertEquals(0x85, frame[1] & 0xff);
            masks.add(ChannelBuffers.hexDump(ChannelBuffers.wrappedBuffer(frame, 2, 4)));
            assertEquals('H', (frame[6] ^ frame[2]) & 0xff);
        }
        assertTrue(masks.size() > 990, () -> "different masks of 1,000: " + masks.size());
    }

    /** Not copied, neither for one member of a group nor for all of them. */
    @Test
    void shouldSendLongContentWithoutACopy() {
        WebSocketFrame frame = new TextWebSocketFrame("long ".repeat(400_000));
        for (int i = 0; i < 2; i++) {
            MemoryChannel server = MemoryChannel.connected(new WebSocket13FrameEncoder(false));
            long allocated = Allocations.bytesOf(() -> server.write(frame));
            assertTrue(allocated < 1_000_000, "allocated bytes: " + allocated);
            ChannelBuffer sent = (ChannelBuffer) server.takeWritten().get(0);
            assertEquals(2_000_000, sent.readableBytes() - 10);
        }
    }

    /** Compressed only once, too, for members that have negotiated the same parameters. */
    @Test
    void shouldCompressOnceForAllMembersOfAGroup() {
        ChannelGroup group = new DefaultChannelGroup();
        List<MemoryChannel> members = new ArrayList<>();
        for (String offer : List.of("", "", "; server_max_window_bits=9", "")) {
            WebSocketExtensionSpec spec = WebSocketExtensionSpec.parse(List.of("permessage-deflate" + offer))
                    .get(0);
            WebSocketExtension deflate = PerMessageDeflate.defaults()
                    .accept(spec, HttpLimits.defaults())
                    .extension();
            members.add(MemoryChannel.connected(new WebSocket13FrameEncoder(false, List.of(deflate))));
        }
        group.addAll(members);
        group.write(new TextWebSocketFrame("compress me once ".repeat(100)));
        List<byte[]> sent = members.stream()
                .map(member -> ((ChannelBuffer) member.takeWritten().get(0)).array())
                .toList();
        assertTrue(sent.get(0).length < 100, () -> "bytes: " + sent.get(0).length);
        assertEquals(0xC1, sent.get(0)[0] & 0xFF);
        assertSame(sent.get(0), sent.get(1));
        assertSame(sent.get(0), sent.get(3));
        assertNotSame(sent.get(0), sent.get(2));
    }

    @Test
    void shouldPassOtherMessages() {
        MemoryChannel channel = MemoryChannel.connected(new WebSocket13FrameEncoder(false));
        ChannelBuffer other = bytes("01");
        channel.write(other);
        assertSame(other, channel.takeWritten().get(0));
    }

    @Test
    void shouldNotChangeTheIndexesOfSentBuffers() {
        ChannelBuffer content = ChannelBuffers.copiedBuffer("content", UTF_8);
        content.readerIndex(1);
        for (boolean masks : new boolean[] {true, false}) {
            MemoryChannel.connected(new WebSocket13FrameEncoder(masks)).write(new BinaryWebSocketFrame(content));
            assertEquals(1, content.readerIndex());
        }
    }

    @Test
    void shouldRefuseControlFrameThatNoPeerAccepts() {
        MemoryChannel channel = MemoryChannel.connected(new WebSocket13FrameEncoder(false));
        PingWebSocketFrame tooLong = new PingWebSocketFrame(ChannelBuffers.wrappedBuffer(new byte[126]));
        assertInstanceOf(TooLongFrameException.class, channel.write(tooLong).getCause());
        PingWebSocketFrame fragment = new PingWebSocketFrame(false, 0, ChannelBuffers.EMPTY_BUFFER);
        assertInstanceOf(IllegalArgumentException.class, channel.write(fragment).getCause());
        assertEquals(List.of(), channel.takeWritten());
    }

    @ParameterizedTest
    @ValueSource(ints = {-2, 0, 999, 1004, 1005, 1006, 1015, 2999, 5000})
    void shouldRefuseToMakeCloseFrameThatNoPeerAccepts(int code) {
        assertThrows(IllegalArgumentException.class, () -> new CloseWebSocketFrame(code, ""));
    }

    @Test
    void shouldRefuseReasonThatIsTooLong() {
        assertEquals(
                123,
                new CloseWebSocketFrame(1000, "x".repeat(123)).getReasonText().length());
        assertThrows(IllegalArgumentException.class, () -> new CloseWebSocketFrame(1000, "ü".repeat(62)));
        assertThrows(IllegalArgumentException.class, () -> new CloseWebSocketFrame(-1, "reason without code"));
    }

    @Test
    void shouldRefuseInvalidReservedBits() {
        assertThrows(IllegalArgumentException.class, () -> new TextWebSocketFrame().setRsv(8));
        assertThrows(IllegalArgumentException.class, () -> new TextWebSocketFrame().setRsv(-1));
    }

    // ---- one frame, many channels ----

    @Test
    void shouldEncodeFrameOnceForAGroup() {
        ChannelGroup group = new DefaultChannelGroup();
        for (int i = 0; i < 10; i++) {
            group.add(MemoryChannel.connected(new WebSocket13FrameEncoder(false)));
        }
        group.write(new TextWebSocketFrame("Hello"));
        group.write(new BinaryWebSocketFrame(bytes("0102")).share());
        byte[] text = null;
        byte[] binary = null;
        for (Channel member : group) {
            List<Object> written = ((MemoryChannel) member).takeWritten();
            assertEquals("810548656c6c6f", ChannelBuffers.hexDump((ChannelBuffer) written.get(0)));
            assertEquals("82020102", ChannelBuffers.hexDump((ChannelBuffer) written.get(1)));
            text = text == null ? ((ChannelBuffer) written.get(0)).array() : text;
            binary = binary == null ? ((ChannelBuffer) written.get(1)).array() : binary;
            assertSame(text, ((ChannelBuffer) written.get(0)).array());
            assertSame(binary, ((ChannelBuffer) written.get(1)).array());
            assertNotSame(written.get(0), written.get(1));
        }
    }

    @Test
    void shouldMaskFrameDifferentlyForEachChannelOfAGroup() {
        MemoryChannel one = MemoryChannel.connected(new WebSocket13FrameEncoder(true));
        MemoryChannel other = MemoryChannel.connected(new WebSocket13FrameEncoder(true));
        TextWebSocketFrame frame = new TextWebSocketFrame("Hello");
        one.write(frame);
        other.write(frame);
        assertNotEquals(one.takeWritten(), other.takeWritten());
    }

    @Test
    void shouldSendTheFramesContentAtTheTimeOfTheWrite() {
        MemoryChannel channel = MemoryChannel.connected(new WebSocket13FrameEncoder(false));
        TextWebSocketFrame frame = new TextWebSocketFrame("a");
        channel.write(frame);
        frame.setText("b");
        channel.write(frame);
        frame.setFinalFragment(false);
        channel.write(frame);
        frame.setRsv(1);
        channel.write(frame);
        frame.setBinaryData(bytes("63"));
        channel.write(frame);
        assertEquals(
                List.of("bytes 810161", "bytes 810162", "bytes 010162", "bytes 110162", "bytes 110163"),
                Frames.describe(channel.takeWritten()));
    }

    @Test
    void shouldReflectChangesOfASharedBuffer() {
        MemoryChannel channel = MemoryChannel.connected(new WebSocket13FrameEncoder(false));
        ChannelBuffer content = bytes("61");
        BinaryWebSocketFrame own = new BinaryWebSocketFrame(content);
        TextWebSocketFrame text = new TextWebSocketFrame("a");
        channel.write(own);
        channel.write(text);
        content.setByte(0, 'b');
        text.getBinaryData().setByte(0, 'b');
        channel.write(own);
        channel.write(text);
        assertEquals(
                List.of("bytes 820161", "bytes 810161", "bytes 820162", "bytes 810162"),
                Frames.describe(channel.takeWritten()));
    }

    // ---- helpers ----

    private static String sent(WebSocketFrame frame) {
        MemoryChannel channel = MemoryChannel.connected(new WebSocket13FrameEncoder(false));
        channel.write(frame);
        return ChannelBuffers.hexDump((ChannelBuffer) channel.takeWritten().get(0));
    }

    private static ChannelBuffer bytes(String hex) {
        return ChannelBuffers.wrappedBuffer(hex(hex));
    }

    private static byte[] array(ChannelBuffer buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.getBytes(buffer.readerIndex(), bytes);
        return bytes;
    }

    /** Counts the frames that it sees; equal ones of other connections do the same. */
    private static final class Counting implements WebSocketExtension {
        private int encoded;

        @Override
        public int rsv() {
            return 4;
        }

        @Override
        public Object sharingKey() {
            return "counting";
        }

        @Override
        public WebSocketFrame decode(WebSocketFrame frame) {
            return frame;
        }

        @Override
        public WebSocketFrame encode(WebSocketFrame frame) {
            encoded++;
            return new BinaryWebSocketFrame(
                    frame.isFinalFragment(), 4, ChannelBuffers.wrappedBuffer(new byte[] {(byte) encoded}));
        }

        @Override
        public void release() {}
    }

    @Test
    void shouldShareWhatAnExtensionMadeOfWholeMessagesOnly() {
        Counting[] extensions = {new Counting(), new Counting()};
        MemoryChannel[] channels = new MemoryChannel[2];
        for (int i = 0; i < 2; i++) {
            channels[i] = MemoryChannel.connected(new WebSocket13FrameEncoder(false, List.of(extensions[i])));
        }
        for (WebSocketFrame frame : List.of(
                new TextWebSocketFrame(false, 0, "a"),
                new ContinuationWebSocketFrame(false, 0, "b"),
                new ContinuationWebSocketFrame(true, 0, "c"))) {
            channels[0].write(frame);
            channels[1].write(frame);
        }
        assertEquals(3, extensions[0].encoded);
        assertEquals(3, extensions[1].encoded, "it sees each fragment");

        WebSocketFrame whole = new TextWebSocketFrame("d");
        channels[0].write(whole);
        channels[1].write(whole);
        assertEquals(4, extensions[0].encoded);
        assertEquals(3, extensions[1].encoded, "the first one's form is reused");
        assertEquals(Frames.describe(channels[0].takeWritten()), Frames.describe(channels[1].takeWritten()));

        WebSocketFrame changing = new TextWebSocketFrame(ChannelBuffers.wrappedBuffer(new byte[] {'e'}));
        channels[0].write(changing);
        channels[1].write(changing);
        assertEquals(List.of("bytes c20105"), Frames.describe(channels[0].takeWritten()));
        assertEquals(List.of("bytes c20104"), Frames.describe(channels[1].takeWritten()));
    }

    @Test
    void shouldKeepControlFramesFromExtensions() {
        Counting extension = new Counting();
        MemoryChannel channel = MemoryChannel.connected(new WebSocket13FrameEncoder(false, List.of(extension)));
        channel.write(new PingWebSocketFrame(ChannelBuffers.wrappedBuffer(new byte[] {'p'})));
        channel.write(new PongWebSocketFrame());
        channel.write(new CloseWebSocketFrame(1000, ""));
        assertEquals(List.of("bytes 890170", "bytes 8a00", "bytes 880203e8"), Frames.describe(channel.takeWritten()));
        assertEquals(0, extension.encoded);
    }

    @Test
    void shouldRefuseAFrameOfAnotherType() {
        MemoryChannel channel = MemoryChannel.connected(new WebSocket13FrameEncoder(false));
        assertInstanceOf(
                UnsupportedOperationException.class,
                channel.write(new WebSocketFrame() {}).getCause());
        assertEquals(List.of(), channel.takeWritten());
    }
}
