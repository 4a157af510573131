package org.freshet.channel.socket.nio.receive;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.channel.socket.nio.send.StreamSender;
import org.freshet.internal.telemetry.LoopCounters;

/**
 * Reads from a stream socket through one direct buffer. Copies the bytes once, into a buffer of their exact size.
 * Belongs to one loop and runs on it.
 */
public final class StreamReceiver {
    /**
     * Large enough that a busy peer's bytes arrive in few calls. There is one per loop, so its size costs connections
     * nothing.
     */
    public static final int RECEIVE_BYTES = 64 * 1024;

    /**
     * How much to read after a read of {@link #RECEIVE_BYTES}: more than one read's worth is waiting, and if it is sent
     * on, each read leaves in one TCP segment over loopback rather than in two, of which the second is tiny.
     */
    public static final int NEXT_RECEIVE_BYTES = StreamSender.SEGMENT_BYTES;

    private final ByteBuffer received = ByteBuffer.allocateDirect(RECEIVE_BYTES);

    /** A view of the same memory, for writes from it. */
    private final ByteBuffer window = received.duplicate();

    /** The array that borrowers work on; null until the first loan. */
    private byte[] scratch;

    private final LoopCounters counters;

    /** @param counters the loop's counters */
    public StreamReceiver(LoopCounters counters) {
        this.counters = counters;
    }

    /**
     * Reads once.
     *
     * @param space the maximum number of bytes to read
     * @return the number of bytes read, 0 if none are available, -1 at the end of the stream
     */
    public int receive(SocketChannel socket, int space) throws IOException {
        received.clear().limit(Math.min(space, RECEIVE_BYTES));
        int bytes = socket.read(received);
        counters.onRead(bytes);
        return bytes;
    }

    /**
     * Returns how many bytes the next {@link #receive} reads at most if called with {@code space}.
     *
     * @throws IllegalStateException if a predictor's space isn't positive: without space, the socket would be ready forever
     */
    public static int spaceFor(int space) {
        if (space <= 0) {
            throw new IllegalStateException("a ReceiveBufferSizePredictor must predict 1 byte or more: " + space);
        }
        return Math.min(space, RECEIVE_BYTES);
    }

    /** Returns the bytes of the last {@link #receive} in a buffer that the caller owns. */
    public ChannelBuffer take(ChannelBufferFactory factory) {
        received.flip();
        ChannelBuffer message = factory.getBuffer(received.remaining());
        message.writeBytes(received);
        return message;
    }

    /** Returns the memory with the bytes of the last {@link #receive}, from index 0 on, for lending. */
    public ByteBuffer memory() {
        return received;
    }

    /** Returns a second view of the memory, for writes. */
    public ByteBuffer window() {
        return window;
    }

    /** Returns an array large enough for one read. */
    public byte[] scratch() {
        if (scratch == null) {
            scratch = new byte[RECEIVE_BYTES];
        }
        return scratch;
    }
}
