package org.freshet.channel.socket.oio;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferFactory;

/**
 * Reads a connection until its end. Belongs to the channel's I/O thread.
 *
 * <p>While it waits it holds one small array and nothing else, since thousands of connections wait at once. When a read fills
 * the array there may be more: then the system is asked how much, and an array of that size takes it all.
 */
final class SocketReader {
    /** What is held while waiting; most requests and messages fit in. */
    private static final int WAITING_BYTES = 1024;

    /** The most that one message carries. */
    private static final int MAX_BYTES = 64 * 1024;

    private final OioSocketChannel channel;
    private final InputStream in;
    private final byte[] waiting = new byte[WAITING_BYTES];

    /** Whether the last read took all it had room for. */
    private boolean full;

    SocketReader(OioSocketChannel channel, InputStream in) {
        this.channel = channel;
        this.in = in;
    }

    /** Returns when the peer has sent all it ever will, or when the channel is closed. */
    void run() throws IOException {
        while (channel.awaitReadable()) {
            int available = full ? in.available() : 0;
            ChannelBuffer message =
                    available > WAITING_BYTES ? receiveAvailable(available) : received(in.read(waiting));
            if (message == null) {
                channel.awaitReadable(); // the end comes when it is wanted, like all there is to read
                return;
            }
            channel.deliver(message, null);
        }
    }

    /** Takes what is known to be there; null at the end. */
    private ChannelBuffer receiveAvailable(int available) throws IOException {
        byte[] bytes = new byte[Math.min(available, MAX_BYTES)];
        int length = in.read(bytes);
        full = length == bytes.length;
        return length < 0 ? null : factory().getBuffer(bytes, 0, length);
    }

    /** Takes what has come into the small array, and what has come on top of it; null at the end. */
    private ChannelBuffer received(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        int available = length == WAITING_BYTES ? in.available() : 0;
        full = available > 0;
        if (available == 0) {
            return factory().getBuffer(Arrays.copyOf(waiting, length), 0, length);
        }
        byte[] bytes = Arrays.copyOf(waiting, Math.min(length + available, MAX_BYTES));
        int more = Math.max(0, in.read(bytes, length, bytes.length - length));
        return factory().getBuffer(bytes, 0, length + more);
    }

    private ChannelBufferFactory factory() {
        return channel.getConfig().getBufferFactory();
    }
}
