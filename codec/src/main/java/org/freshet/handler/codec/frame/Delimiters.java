package org.freshet.handler.codec.frame;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/** Common delimiters for {@link DelimiterBasedFrameDecoder}. Each call makes new buffers for the caller to keep. */
public final class Delimiters {
    private Delimiters() {}

    /** The byte 0, used by Flash XML sockets and other text protocols. */
    public static ChannelBuffer[] nulDelimiter() {
        return new ChannelBuffer[] {delimiter(0)};
    }

    /** CR LF and LF. */
    public static ChannelBuffer[] lineDelimiter() {
        return new ChannelBuffer[] {delimiter('\r', '\n'), delimiter('\n')};
    }

    private static ChannelBuffer delimiter(int... bytes) {
        ChannelBuffer buffer = ChannelBuffers.buffer(bytes.length);
        for (int b : bytes) {
            buffer.writeByte(b);
        }
        return buffer;
    }
}
