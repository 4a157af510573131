package org.freshet.handler.codec.embedder;

import java.io.IOException;
import java.io.InputStream;
import org.freshet.buffer.ChannelBuffers;

/** Decodes what a blocking socket receives. */
public final class DecodedStream {
    private DecodedStream() {}

    /** Reads until the decoder has a message, and returns it. */
    public static Object next(DecoderEmbedder<Object> decoder, InputStream in) throws IOException {
        byte[] read = new byte[4096];
        while (decoder.size() == 0) {
            int length = in.read(read);
            if (length < 0) {
                throw new IOException("the peer closed the connection");
            }
            decoder.offer(ChannelBuffers.copiedBuffer(read, 0, length));
        }
        return decoder.poll();
    }
}
