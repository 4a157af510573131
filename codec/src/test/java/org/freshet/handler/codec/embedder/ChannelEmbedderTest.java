package org.freshet.handler.codec.embedder;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.frame.LineBasedFrameDecoder;
import org.freshet.handler.codec.string.StringDecoder;
import org.freshet.handler.codec.string.StringEncoder;
import org.junit.jupiter.api.Test;

class ChannelEmbedderTest {
    /** Greets each name, passes on messages that begin with a question mark, and reports when it is connected. */
    private static final class Greeting extends SimpleChannelUpstreamHandler {
        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            e.getChannel().write("ready");
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            String text = (String) e.getMessage();
            if (text.startsWith("!")) {
                throw new IllegalArgumentException(text);
            } else if (text.startsWith("?")) {
                ctx.sendUpstream(e);
            } else {
                e.getChannel().write("Hello, " + text);
            }
        }
    }

    private static ChannelEmbedder<String> embedder() {
        return new ChannelEmbedder<>(
                new LineBasedFrameDecoder(80),
                new StringDecoder(US_ASCII),
                new StringEncoder(US_ASCII),
                new Greeting());
    }

    private static ChannelBuffer bytes(String text) {
        return ChannelBuffers.copiedBuffer(text, US_ASCII);
    }

    private static String text(Object message) {
        return ((ChannelBuffer) message).toString(US_ASCII);
    }

    @Test
    void shouldKeepWrittenAndReceivedMessagesApart() {
        ChannelEmbedder<String> embedder = embedder();
        assertEquals("ready", text(embedder.pollWritten()));
        assertFalse(embedder.offer(bytes("A")));
        assertNull(embedder.pollWritten());
        assertTrue(embedder.offer(bytes("da\n?why\n")));
        assertEquals("Hello, Ada", text(embedder.pollWritten()));
        assertNull(embedder.pollWritten());
        assertEquals("?why", embedder.poll());
        assertNull(embedder.poll());
    }

    @Test
    void shouldEncodeMessagesOfTheApplication() {
        ChannelEmbedder<String> embedder = embedder();
        embedder.pollWritten();
        assertTrue(embedder.write("by itself").isSuccess());
        assertEquals("by itself", text(embedder.pollWritten()));
        assertNull(embedder.poll());
    }

    @Test
    void shouldThrowAHandlersExceptionAndContinue() {
        ChannelEmbedder<String> embedder = embedder();
        embedder.pollWritten();
        CodecEmbedderException e =
                assertThrows(CodecEmbedderException.class, () -> embedder.offer(bytes("!bad\nAda\n")));
        assertEquals("!bad", e.getCause().getMessage());
        assertEquals("Hello, Ada", text(embedder.pollWritten()));
    }

    @Test
    void shouldRefuseBothDirectionsOnceFinished() {
        ChannelEmbedder<String> embedder = embedder();
        embedder.finish();
        assertFalse(embedder.channel().isOpen());
        assertThrows(IllegalStateException.class, () -> embedder.offer(bytes("a")));
        assertThrows(IllegalStateException.class, () -> embedder.write("a"));
    }
}
