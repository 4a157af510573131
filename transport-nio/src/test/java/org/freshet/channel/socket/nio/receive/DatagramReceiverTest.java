package org.freshet.channel.socket.nio.receive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.HeapChannelBufferFactory;
import org.freshet.internal.telemetry.LoopCounters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is received of a datagram. */
class DatagramReceiverTest {
    private static final int LARGEST_BYTES = 65_507;

    private final LoopCounters counters = new LoopCounters();
    private final DatagramReceiver receiver = new DatagramReceiver(counters);
    private DatagramChannel socket;
    private DatagramChannel peer;

    @BeforeEach
    void open() throws IOException {
        InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        socket = DatagramChannel.open().bind(free);
        peer = DatagramChannel.open().bind(free);
    }

    @AfterEach
    void close() throws IOException {
        socket.close();
        peer.close();
    }

    private void send(byte[] bytes) throws IOException {
        peer.send(ByteBuffer.wrap(bytes), socket.getLocalAddress());
    }

    private ChannelBuffer take() {
        return receiver.take(HeapChannelBufferFactory.getInstance());
    }

    @Test
    void shouldReturnTheSenderAndExactlyItsBytes() throws IOException {
        send("hello".getBytes(StandardCharsets.US_ASCII));
        assertEquals(peer.getLocalAddress(), receiver.receive(socket));
        assertEquals(5, receiver.length());
        ChannelBuffer message = take();
        assertEquals(5, message.capacity());
        assertEquals("hello", message.toString(StandardCharsets.US_ASCII));
    }

    @Test
    void shouldKeepNothingOfTheDatagramBefore() throws IOException {
        send("a long one".getBytes(StandardCharsets.US_ASCII));
        receiver.receive(socket);
        ChannelBuffer first = take();
        send("short".getBytes(StandardCharsets.US_ASCII));
        receiver.receive(socket);
        assertEquals("short", take().toString(StandardCharsets.US_ASCII));
        assertEquals("a long one", first.toString(StandardCharsets.US_ASCII), "the caller owns it");
    }

    @Test
    void shouldNotTruncateTheLargestDatagram() throws IOException {
        send(new byte[LARGEST_BYTES]);
        receiver.receive(socket);
        assertEquals(LARGEST_BYTES, take().readableBytes());
        assertEquals(1, counters.reads());
        assertEquals(LARGEST_BYTES, counters.bytesRead());
    }

    @Test
    void shouldReturnNullIfNoDatagramIsPending() throws IOException {
        socket.configureBlocking(false);
        assertNull(receiver.receive(socket));
        assertEquals(0, receiver.length());
    }
}
