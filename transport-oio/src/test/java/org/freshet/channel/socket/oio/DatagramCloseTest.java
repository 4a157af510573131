package org.freshet.channel.socket.oio;

import static org.freshet.buffer.ChannelBuffers.copiedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests before and after a close. */
class DatagramCloseTest {
    private final OioDatagramChannelFactory factory = new OioDatagramChannelFactory();
    private final Recorder events = new Recorder();

    private DatagramSocket first;
    private DatagramSocket second;
    private Channel channel;

    @BeforeEach
    void open() throws IOException {
        first = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        second = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        first.setSoTimeout((int) Await.LIMIT.toMillis());
        second.setSoTimeout((int) Await.LIMIT.toMillis());
        channel = factory.newChannel(Channels.pipeline(events));
    }

    @AfterEach
    void close() {
        first.close();
        second.close();
        factory.releaseExternalResources();
    }

    private ChannelFuture write(String text) {
        return channel.write(copiedBuffer(text, StandardCharsets.ISO_8859_1));
    }

    private static String receive(DatagramSocket socket) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[100], 100);
        socket.receive(packet);
        return new String(packet.getData(), 0, packet.getLength(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void shouldSendBeforeAClose() throws IOException {
        channel.connect(first.getLocalSocketAddress());
        ChannelFuture write = write("last");
        channel.close();
        Await.success(write, "the write");
        assertEquals("last", receive(first));
    }

    @Test
    void shouldFailEveryRequestAfterAClose() {
        channel.connect(first.getLocalSocketAddress());
        channel.close();
        List<ChannelFuture> late = List.of(
                write("late"),
                channel.write("of a wrong type"),
                channel.disconnect(),
                channel.connect(second.getLocalSocketAddress()),
                channel.bind(new InetSocketAddress(0)));
        late.forEach(
                request -> assertInstanceOf(ClosedChannelException.class, Await.failure(request, "a late request")));
        channel.setReadable(false);
        events.awaitClosed();
        assertEquals("closed", events.events().get(events.events().size() - 1));
    }
}
