package org.freshet.channel.socket.nio.receive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.HeapChannelBufferFactory;
import org.freshet.internal.telemetry.LoopCounters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What one read takes from a socket. */
class StreamReceiverTest {
    private final LoopCounters counters = new LoopCounters();
    private final StreamReceiver receiver = new StreamReceiver(counters);
    private SocketChannel socket;
    private SocketChannel peer;

    @BeforeEach
    void connect() throws IOException {
        try (ServerSocketChannel server =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            peer = SocketChannel.open(server.getLocalAddress());
            socket = server.accept();
        }
    }

    @AfterEach
    void close() throws IOException {
        socket.close();
        peer.close();
    }

    private void send(String text) throws IOException {
        peer.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
    }

    private ChannelBuffer take() {
        return receiver.take(HeapChannelBufferFactory.getInstance());
    }

    @Test
    void shouldReadNoMoreThanTheSpaceAndLeaveTheRestInTheSocket() throws IOException {
        send("abcdef");
        assertEquals(4, receiver.receive(socket, 4));
        assertEquals("abcd", take().toString(StandardCharsets.US_ASCII));
        assertEquals(2, receiver.receive(socket, 4));
        assertEquals("ef", take().toString(StandardCharsets.US_ASCII));
    }

    @Test
    void shouldGiveAwayABufferOfTheExactSizeThatLaterReadsDoNotChange() throws IOException {
        send("first");
        receiver.receive(socket, 1024);
        ChannelBuffer first = take();
        send("other");
        receiver.receive(socket, 1024);
        take();
        assertEquals(5, first.capacity());
        assertEquals("first", first.toString(StandardCharsets.US_ASCII));
    }

    @Test
    void shouldCountReadsAndBytes() throws IOException {
        send("abc");
        receiver.receive(socket, 1024);
        peer.close();
        assertEquals(-1, receiver.receive(socket, 1024));
        assertEquals(2, counters.reads());
        assertEquals(3, counters.bytesRead());
    }

    @Test
    void shouldReadNoMoreThanItsMemoryHolds() throws IOException {
        assertEquals(StreamReceiver.RECEIVE_BYTES, StreamReceiver.spaceFor(Integer.MAX_VALUE));
        assertEquals(7, StreamReceiver.spaceFor(7));
        send("abc");
        assertEquals(3, receiver.receive(socket, Integer.MAX_VALUE));
    }

    @Test
    void shouldLendWhatItReadWithoutACopy() throws IOException {
        send("abc");
        receiver.receive(socket, 1024);
        assertEquals('b', receiver.memory().get(1));
        assertEquals('b', receiver.window().get(1), "the view for writes shows the same memory");
        assertEquals(StreamReceiver.RECEIVE_BYTES, receiver.scratch().length);
        assertSame(receiver.scratch(), receiver.scratch(), "one array serves all loans");
        assertTrue(receiver.memory().isDirect());
    }
}
