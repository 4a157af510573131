package org.freshet.channel.socket.oio;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferFactory;

/**
 * Reads a connection to its end. Belongs to the channel's I/O thread.
 *
 * <p>While waiting it holds only one small array, because thousands of connections wait at the same time. When a read
 * fills the array, the system is asked how many bytes remain, and those are read into an array of that size.
 */
final class SocketReader {
    /** The array held while waiting. Most messages fit into it. */
    private static final int WAITING_BYTES = 1024;

    /** The size of the largest message. */
    private static final int MAX_BYTES = 64 * 1024;

    private final OioSocketChannel channel;
    private final InputStream in;
    private final byte[] waiting = new byte[WAITING_BYTES];

    /** Whether the last read filled its array. */
    private boolean full;

    SocketReader(OioSocketChannel channel, InputStream in) {
        this.channel = channel;
        this.in = in;
    }

    /** Returns at the end of the peer's stream, or when the channel is closed. */
    void run() throws IOException {
        while (channel.awaitReadable()) {
            int available = full ? in.available() : 0;
            ChannelBuffer message =
                    available > WAITING_BYTES ? receiveAvailable(available) : received(in.read(waiting));
            if (message == null) {
                channel.awaitReadable(); // like data, the end is reported only while reading is wanted
                return;
            }
            channel.onRead();
            channel.deliver(message, null);
        }
    }

    /** Reads as many bytes as the system reports as available. Returns null at the end. */
    private ChannelBuffer receiveAvailable(int available) throws IOException {
        byte[] bytes = new byte[Math.min(available, MAX_BYTES)];
        int length = in.read(bytes);
        full = length == bytes.length;
        return length < 0 ? null : factory().getBuffer(bytes, 0, length);
    }

    /** Reads into the small array, then the bytes that do not fit. Returns null at the end. */
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
