package org.freshet.example.buffersize;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.freshet.handler.codec.serialization.CompatibleObjectEncoder;
import org.junit.jupiter.api.Test;

class AnswerFormatTest {
    @Test
    void shouldReadItsHandWrittenFormat() throws Exception {
        ChannelBuffer written = (ChannelBuffer) AnswerFormat.RAW.message(8088, 3, -1);
        assertEquals(12, written.readableBytes());
        assertArrayEquals(
                new int[] {8088, 3, -1},
                AnswerFormat.RAW
                        .reader(new ByteArrayInputStream(written.array()), 3)
                        .next());
    }

    @Test
    void shouldReadTheEncodersFormat() throws Exception {
        EncoderEmbedder<ChannelBuffer> encoder = new EncoderEmbedder<>(new CompatibleObjectEncoder());
        encoder.offer(AnswerFormat.OBJECTS.message(8088, 3, -1));
        ChannelBuffer written = encoder.poll();
        byte[] bytes = new byte[written.readableBytes()];
        written.readBytes(bytes);
        assertArrayEquals(
                new int[] {8088, 3, -1},
                AnswerFormat.OBJECTS.reader(new ByteArrayInputStream(bytes), 3).next());
    }

    @Test
    void shouldBeChosenByTheFirstArgument() {
        assertEquals(AnswerFormat.OBJECTS, AnswerFormat.chosenBy(new String[] {"8099"}));
        assertEquals(AnswerFormat.RAW, AnswerFormat.chosenBy(new String[] {"--raw", "8099"}));
        assertArrayEquals(new String[] {"8099"}, AnswerFormat.RAW.rest(new String[] {"--raw", "8099"}));
    }
}
