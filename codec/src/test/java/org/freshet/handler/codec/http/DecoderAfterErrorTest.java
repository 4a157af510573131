package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

/**
 * After an Error in the middle of a message, usually from lack of memory, nothing more is decoded from the connection's
 * bytes.
 */
class DecoderAfterErrorTest {
    private static final String HEAD = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 30\r\nAccept: x\r\n\r\n";

    private final DecoderEmbedder<Object> decoder = new DecoderEmbedder<>(new HttpRequestDecoder() {
        private boolean hasThrown;

        @Override
        protected HttpMessage createMessage(String[] initialLine) throws Exception {
            if (!hasThrown) {
                hasThrown = true;
                throw new OutOfMemoryError("planted");
            }
            return super.createMessage(initialLine);
        }
    });

    private void receive(String text) {
        decoder.offer(ChannelBuffers.copiedBuffer(text, US_ASCII));
    }

    /** A handler that takes the decoder's place doesn't get them, either. */
    @Test
    void shouldHandOverNoBytesAfterAFailure() {
        HttpRequestDecoder refusing = new HttpRequestDecoder();
        MemoryChannel channel = MemoryChannel.connected(refusing);
        channel.receive(ChannelBuffers.copiedBuffer("GET /\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\n\r\n", US_ASCII));
        assertInstanceOf(
                MalformedHttpMessageException.class, channel.takeCaught().get(0));
        channel.getPipeline().remove(refusing);
        assertEquals(List.of(), channel.takeReceived());
    }

    @Test
    void shouldNotMistakeContentForHeaders() {
        Throwable failure = assertThrows(CodecEmbedderException.class, () -> receive(HEAD));
        assertInstanceOf(OutOfMemoryError.class, failure.getCause());
        receive("X-Admin: yes\r\n\r\n");
        receive("GET /next HTTP/1.1\r\nHost: a\r\n\r\n");
        assertNull(decoder.poll());
    }
}
