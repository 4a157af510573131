package org.freshet.channel.socket.oio;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/**
 * Adapts a blocking stream to a channel, for file regions. Unlike the JDK's adapter it holds no lock while writing.
 * Used by one thread.
 */
final class StreamTarget implements WritableByteChannel {
    private static final int PIECE_BYTES = 8 * 1024;

    private final OutputStream out;

    StreamTarget(OutputStream out) {
        this.out = out;
    }

    /** Writes all remaining bytes. */
    @Override
    public int write(ByteBuffer source) throws IOException {
        int length = source.remaining();
        if (source.hasArray()) {
            out.write(source.array(), source.arrayOffset() + source.position(), length);
            source.position(source.limit());
        } else {
            writePieces(source);
        }
        return length;
    }

    private void writePieces(ByteBuffer source) throws IOException {
        byte[] piece = new byte[Math.min(PIECE_BYTES, source.remaining())];
        while (source.hasRemaining()) {
            int length = Math.min(piece.length, source.remaining());
            source.get(piece, 0, length);
            out.write(piece, 0, length);
        }
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
