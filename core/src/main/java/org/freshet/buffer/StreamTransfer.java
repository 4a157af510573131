package org.freshet.buffer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ScatteringByteChannel;

/**
 * Moves bytes between buffers, streams and channels. All transfers count the same way: as many bytes as requested,
 * fewer at the end of the stream or when a channel has nothing more available, and -1 if the end comes before the first
 * byte. A transfer of 0 bytes returns 0, or -1 if the stream or channel reports its end.
 *
 * <p>Stateless; any thread may call it.
 */
final class StreamTransfer {
    /** Large enough to keep the number of calls low, small enough to die in the next young collection. */
    private static final int CHUNK_BYTES = 8192;

    private StreamTransfer() {}

    static int fill(byte[] target, int index, int length, InputStream in) throws IOException {
        if (length == 0) {
            return Math.min(0, in.read(target, index, 0)); // an ended stream may report its end
        }
        int read = in.readNBytes(target, index, length);
        return read == 0 ? -1 : read;
    }

    /** Same as above for memory without an array, through a small array. */
    static int fill(ByteBuffer target, InputStream in) throws IOException {
        int wanted = target.remaining();
        byte[] chunk = new byte[Math.min(wanted, CHUNK_BYTES)];
        if (wanted == 0) {
            return fill(chunk, 0, 0, in);
        }
        while (target.hasRemaining()) {
            int read = in.read(chunk, 0, Math.min(chunk.length, target.remaining()));
            if (read < 0) {
                break;
            }
            target.put(chunk, 0, read);
        }
        int total = wanted - target.remaining();
        return total == 0 ? -1 : total;
    }

    static int fill(ByteBuffer target, ScatteringByteChannel in) throws IOException {
        int wanted = target.remaining();
        do {
            int read = readOrEnd(target, in);
            if (read <= 0) {
                int total = wanted - target.remaining();
                return total == 0 ? read : total;
            }
        } while (target.hasRemaining());
        return wanted;
    }

    /** Copies the remaining bytes of {@code source}, which has no array, through a small array. */
    static void drain(ByteBuffer source, OutputStream out) throws IOException {
        byte[] chunk = new byte[Math.min(source.remaining(), CHUNK_BYTES)];
        while (source.hasRemaining()) {
            int length = Math.min(chunk.length, source.remaining());
            source.get(chunk, 0, length);
            out.write(chunk, 0, length);
        }
    }

    /** A channel closed in the meantime counts as ended. */
    private static int readOrEnd(ByteBuffer target, ScatteringByteChannel in) throws IOException {
        try {
            return in.read(target);
        } catch (ClosedChannelException e) {
            return -1;
        }
    }
}
