package org.freshet.channel.socket.nio.receive;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.internal.telemetry.LoopCounters;

/**
 * Receives datagrams through one direct buffer that holds the largest possible datagram, so none is truncated
 * unnoticed. Copies each datagram once, into a buffer of its exact size. Belongs to one loop and runs on it.
 */
public final class DatagramReceiver {
    /** More than the 65,527 bytes that fit into a UDP datagram. */
    private static final int RECEIVE_BYTES = 64 * 1024;

    private final ByteBuffer received = ByteBuffer.allocateDirect(RECEIVE_BYTES);

    private final LoopCounters counters;

    /** @param counters the loop's counters */
    public DatagramReceiver(LoopCounters counters) {
        this.counters = counters;
    }

    /** Receives one datagram and returns its sender, or null if none is pending. */
    public SocketAddress receive(DatagramChannel socket) throws IOException {
        SocketAddress sender = socket.receive(received.clear());
        counters.onRead(received.position());
        return sender;
    }

    /** Returns the number of bytes of the last datagram. */
    public int length() {
        return received.position();
    }

    /** Returns the bytes of the last datagram in a buffer that the caller owns. */
    public ChannelBuffer take(ChannelBufferFactory factory) {
        received.flip();
        ChannelBuffer message = factory.getBuffer(received.remaining());
        message.writeBytes(received);
        return message;
    }
}
