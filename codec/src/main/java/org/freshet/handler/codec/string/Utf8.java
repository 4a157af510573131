package org.freshet.handler.codec.string;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/**
 * UTF-8 for text that is not ASCII, where the JDK takes up to three times the memory of the result. Gives the same
 * results as the JDK. Text that begins with ASCII is left to the JDK, which is fastest there. Stateless.
 */
final class Utf8 {
    /** How many characters or bytes to look at to guess the kind of text. */
    private static final int SAMPLE = 8;

    private Utf8() {}

    static byte[] encode(String text) {
        if (beginsWithAscii(text)) {
            return text.getBytes(UTF_8);
        }
        byte[] bytes = new byte[ChannelBuffers.utf8Length(text)];
        ChannelBuffer buffer = ChannelBuffers.wrappedBuffer(bytes);
        buffer.clear();
        ChannelBuffers.writeUtf8(buffer, text);
        return bytes;
    }

    private static boolean beginsWithAscii(String text) {
        int length = Math.min(SAMPLE, text.length());
        int bits = 0;
        for (int i = 0; i < length; i++) {
            bits |= text.charAt(i);
        }
        return bits < 0x80;
    }
}
