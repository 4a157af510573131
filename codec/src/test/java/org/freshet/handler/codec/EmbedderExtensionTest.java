package org.freshet.handler.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.freshet.handler.codec.string.StringDecoder;
import org.freshet.handler.codec.string.StringEncoder;
import org.junit.jupiter.api.Test;

/** What embedders provide for subclasses in other packages. */
class EmbedderExtensionTest {
    private static final class Received extends DecoderEmbedder<String> {
        Received() {
            super(new StringDecoder(US_ASCII));
        }

        boolean closeIfEmpty() {
            if (isEmpty()) {
                getChannel().close();
            }
            return getChannel().isOpen();
        }
    }

    private static final class Written extends EncoderEmbedder<Object> {
        Written() {
            super(new StringEncoder(US_ASCII));
        }

        void check() {
            assertTrue(isEmpty());
            assertSame(getPipeline().getChannel(), getChannel());
            offer("a");
            assertFalse(isEmpty());
        }
    }

    @Test
    void shouldLetSubclassesAccessTheChannelAndSeeWhetherThereIsAnythingToPoll() {
        Received received = new Received();
        received.offer(ChannelBuffers.copiedBuffer("a", US_ASCII));
        assertTrue(received.closeIfEmpty());
        assertEquals("a", received.poll());
        assertFalse(received.closeIfEmpty());
        new Written().check();
    }
}
