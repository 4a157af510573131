package org.freshet.handler.codec.http.websocketx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.junit.jupiter.api.Test;

class WebSocketFrameTest {
    private static final byte[] ENCODED = {1, 2};

    private final ChannelBuffer content = ChannelBuffers.copiedBuffer("text", StandardCharsets.UTF_8);

    private static void assertFrame(boolean finalFragment, int rsv, ChannelBuffer content, WebSocketFrame frame) {
        assertEquals(finalFragment, frame.isFinalFragment());
        assertEquals(rsv, frame.getRsv());
        assertEquals(content, frame.getBinaryData());
        assertEquals(content.readableBytes(), frame.heldBytes());
    }

    @Test
    void shouldHoldWhatItsConstructorIsGiven() {
        ChannelBuffer none = ChannelBuffers.EMPTY_BUFFER;
        for (WebSocketFrame frame : List.of(
                new TextWebSocketFrame(),
                new BinaryWebSocketFrame(),
                new ContinuationWebSocketFrame(),
                new PingWebSocketFrame(),
                new PongWebSocketFrame(),
                new CloseWebSocketFrame(),
                new TextWebSocketFrame((String) null),
                new TextWebSocketFrame(""),
                new TextWebSocketFrame((ChannelBuffer) null))) {
            assertFrame(true, 0, none, frame);
            assertTrue(frame.isCompressible());
        }
        for (WebSocketFrame frame : List.of(
                new TextWebSocketFrame(content),
                new TextWebSocketFrame("text"),
                new BinaryWebSocketFrame(content),
                new ContinuationWebSocketFrame(content),
                new PingWebSocketFrame(content),
                new PongWebSocketFrame(content))) {
            assertFrame(true, 0, content, frame);
        }
        for (WebSocketFrame frame : List.of(
                new TextWebSocketFrame(false, 3, content),
                new TextWebSocketFrame(false, 3, "text"),
                new BinaryWebSocketFrame(false, 3, content),
                new ContinuationWebSocketFrame(false, 3, content),
                new ContinuationWebSocketFrame(false, 3, "text"),
                new PingWebSocketFrame(false, 3, content),
                new PongWebSocketFrame(false, 3, content),
                new CloseWebSocketFrame(false, 3, content))) {
            assertFrame(false, 3, content, frame);
        }
        assertFrame(false, 7, none, new CloseWebSocketFrame(false, 7));
        CloseWebSocketFrame close = new CloseWebSocketFrame(false, 7, 1000, "bye");
        assertFrame(false, 7, ChannelBuffers.wrappedBuffer(new byte[] {3, (byte) 0xe8, 'b', 'y', 'e'}), close);
    }

    @Test
    void shouldReadAndWriteText() {
        TextWebSocketFrame text = new TextWebSocketFrame(content);
        assertEquals("text", text.getText());
        text.setText("\u20ac");
        assertEquals("\u20ac", text.getText());
        assertEquals(3, text.heldBytes());
        ContinuationWebSocketFrame more = new ContinuationWebSocketFrame(content);
        assertEquals("text", more.getText());
        more.setText(null);
        assertEquals("", more.getText());
        more.setText("x");
        assertEquals("x", more.getText());
        more.setText("");
        assertEquals(0, more.heldBytes());
    }

    @Test
    void shouldReadTheCodeAndTheReasonOfACloseFrame() {
        CloseWebSocketFrame close = new CloseWebSocketFrame(4999, "bye");
        assertEquals(4999, close.getStatusCode());
        assertEquals("bye", close.getReasonText());
        assertEquals("", new CloseWebSocketFrame(1000, null).getReasonText());
        assertEquals(1000, new CloseWebSocketFrame(1000, null).getStatusCode());

        CloseWebSocketFrame none = new CloseWebSocketFrame(-1, "");
        assertEquals(-1, none.getStatusCode());
        assertEquals("", none.getReasonText());
        assertEquals(0, none.heldBytes());
        assertThrows(IllegalArgumentException.class, () -> new CloseWebSocketFrame(-1, "bye"));
        CloseWebSocketFrame tooShort = new CloseWebSocketFrame(true, 0, ChannelBuffers.wrappedBuffer(new byte[1]));
        assertEquals(-1, tooShort.getStatusCode());
        assertEquals("", tooShort.getReasonText());
    }

    @Test
    void shouldDescribeItself() {
        assertEquals("TextWebSocketFrame(text: text)", new TextWebSocketFrame("text").toString());
        assertEquals("CloseWebSocketFrame", new CloseWebSocketFrame().toString());
        assertEquals("CloseWebSocketFrame(1000)", new CloseWebSocketFrame(1000, "").toString());
        assertEquals("CloseWebSocketFrame(1000 bye)", new CloseWebSocketFrame(1000, "bye").toString());
        for (WebSocketFrame frame : List.of(
                new BinaryWebSocketFrame(content),
                new ContinuationWebSocketFrame(content),
                new PingWebSocketFrame(content),
                new PongWebSocketFrame(content))) {
            assertEquals(frame.getClass().getSimpleName() + "(data: " + content + ")", frame.toString());
        }
    }

    @Test
    void shouldKeepAnEncodedFormPerKeyUntilItChanges() {
        List<Consumer<WebSocketFrame>> changes = List.of(
                frame -> frame.setFinalFragment(true),
                frame -> frame.setRsv(0),
                frame -> frame.setBinaryData(content),
                frame -> frame.setOwnContent(content),
                frame -> frame.setCompressible(true),
                frame -> ((TextWebSocketFrame) frame).setText("text"));
        for (Consumer<WebSocketFrame> change : changes) {
            WebSocketFrame frame = new TextWebSocketFrame("text");
            assertNull(frame.encodedFor("a"));
            frame.keepEncoded("a", ENCODED);
            frame.keepEncoded("b", new byte[] {3});
            assertSame(ENCODED, frame.encodedFor("a"));
            assertArrayEquals(new byte[] {3}, frame.encodedFor("b"));
            assertNull(frame.encodedFor("c"));
            change.accept(frame);
            assertNull(frame.encodedFor("a"));
        }
    }

    @Test
    void shouldKnowWhetherItsContentMayChange() {
        assertTrue(new TextWebSocketFrame("text").isContentFixed());
        WebSocketFrame seen = new TextWebSocketFrame("text");
        seen.getBinaryData();
        assertFalse(seen.isContentFixed());
        assertSame(seen, seen.share());
        assertTrue(seen.isContentFixed());

        WebSocketFrame frame = new BinaryWebSocketFrame(content);
        assertFalse(frame.isContentFixed());
        frame.setBinaryData(null);
        assertTrue(frame.isContentFixed());
        frame.getBinaryData();
        assertTrue(frame.isContentFixed(), "nothing can change in the empty buffer");
    }

    @Test
    void shouldTakeOnlyThreeReservedBits() {
        WebSocketFrame frame = new BinaryWebSocketFrame();
        frame.setRsv(7);
        assertEquals(7, frame.getRsv());
        assertThrows(IllegalArgumentException.class, () -> frame.setRsv(8));
        assertThrows(IllegalArgumentException.class, () -> frame.setRsv(-1));
        frame.setCompressible(false);
        assertFalse(frame.isCompressible());
    }
}
