package org.freshet.channel.socket.nio.receive;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.internal.telemetry.LoopCounters;

/**
 * Reads from a stream socket through one direct buffer and copies what came, once, into a buffer of its exact size. Belongs
 * to one loop and runs on it.
 */
public final class StreamReceiver {
    /** Large enough that a busy peer's bytes come in few calls; one a loop, so its size costs nothing a connection. */
    public static final int RECEIVE_BYTES = 64 * 1024;

    private final ByteBuffer received = ByteBuffer.allocateDirect(RECEIVE_BYTES);

    /** The same memory, for those who send from it. */
    private final ByteBuffer window = received.duplicate();

    /** Where borrowers work on what was read; null until the first loan. */
    private byte[] scratch;

    private final LoopCounters counters;

    /**
     * @param counters of the loop
     */
    public StreamReceiver(LoopCounters counters) {
        this.counters = counters;
    }

    /**
     * Reads once.
     *
     * @param space the most bytes to read
     * @return the number of bytes read, 0 when there are none now, -1 at the end of the stream
     */
    public int receive(SocketChannel socket, int space) throws IOException {
        received.clear().limit(Math.min(space, RECEIVE_BYTES));
        int bytes = socket.read(received);
        counters.onRead(bytes);
        return bytes;
    }

    /** How many bytes the next {@link #receive} reads at most when {@code space} is wished for. */
    public static int spaceFor(int space) {
        return Math.min(space, RECEIVE_BYTES);
    }

    /** The bytes of the last {@link #receive}, in a buffer that the caller owns. */
    public ChannelBuffer take(ChannelBufferFactory factory) {
        received.flip();
        ChannelBuffer message = factory.getBuffer(received.remaining());
        message.writeBytes(received);
        return message;
    }

    /** What the last {@link #receive} read, as it is lent: from index 0 on. */
    public ByteBuffer memory() {
        return received;
    }

    /** The memory again, for writes. */
    public ByteBuffer window() {
        return window;
    }

    /** An array for as many bytes as one read brings. */
    public byte[] scratch() {
        if (scratch == null) {
            scratch = new byte[RECEIVE_BYTES];
        }
        return scratch;
    }
}
