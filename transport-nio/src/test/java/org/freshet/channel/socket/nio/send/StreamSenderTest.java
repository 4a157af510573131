package org.freshet.channel.socket.nio.send;

import static org.freshet.buffer.ChannelBuffers.EMPTY_BUFFER;
import static org.freshet.buffer.ChannelBuffers.directBuffer;
import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.OutputShutdown;
import org.freshet.internal.telemetry.LoopCounters;
import org.freshet.internal.write.OutgoingMessage;
import org.freshet.testing.MemoryChannelFactory;
import org.freshet.testing.Recorder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How many system calls messages take: each send is given one at most. */
class StreamSenderTest {
    private final StreamSender sender = new StreamSender(new LoopCounters());
    private final WriteQueue queue = new TestQueue();
    private final FlushTotal total = new FlushTotal();
    private final Channel channel = new MemoryChannelFactory().newChannel(Channels.pipeline(new Recorder()));
    private final List<ChannelFuture> futures = new ArrayList<>();
    private SocketChannel socket;
    private SocketChannel peer;

    @BeforeEach
    void connect() throws Exception {
        try (ServerSocketChannel server =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            socket = SocketChannel.open();
            socket.setOption(StandardSocketOptions.SO_SNDBUF, 1 << 20);
            socket.connect(server.getLocalAddress());
            socket.configureBlocking(false);
            peer = server.accept();
        }
    }

    @AfterEach
    void close() throws Exception {
        socket.close();
        peer.close();
    }

    private void add(ChannelBuffer message) {
        ChannelFuture future = Channels.future(channel);
        futures.add(future);
        queue.append(new OutgoingMessage(new DownstreamMessageEvent(channel, future, message, null)));
    }

    private SendResult sendOnce(boolean coalesce) throws Exception {
        return sender.send(socket, queue, 1, coalesce, total);
    }

    private long done() {
        return futures.stream().filter(ChannelFuture::isDone).count();
    }

    @Test
    void shouldSendSmallMessagesInOneCall() throws Exception {
        for (int i = 0; i < 100; i++) {
            add(wrappedBuffer(new byte[10]));
        }
        assertEquals(SendResult.DRAINED, sendOnce(true));
        assertEquals(1000, total.bytes());
        assertEquals(100, done());
    }

    @Test
    void shouldSendEachMessageByItselfWhenToldTo() throws Exception {
        for (int i = 0; i < 3; i++) {
            add(wrappedBuffer(new byte[10]));
        }
        assertEquals(SendResult.SHARE_USED, sendOnce(false));
        assertEquals(1, done());
        assertEquals(SendResult.SHARE_USED, sendOnce(false));
        assertEquals(2, done());
        assertEquals(SendResult.DRAINED, sendOnce(false));
        assertEquals(30, total.bytes());
    }

    @Test
    void shouldSendALargeDirectBufferByItself() throws Exception {
        add(wrappedBuffer(new byte[10]));
        ChannelBuffer large = directBuffer(20_000);
        large.writerIndex(20_000);
        add(large);
        add(wrappedBuffer(new byte[10]));
        sendOnce(true);
        assertEquals(10, total.bytes());
        sendOnce(true);
        assertEquals(20_010, total.bytes());
        assertEquals(SendResult.DRAINED, sendOnce(true));
    }

    @Test
    void shouldSendALargeHeapBufferInBoundedPieces() throws Exception {
        add(wrappedBuffer(new byte[StreamSender.STAGING_BYTES + 1]));
        assertEquals(SendResult.SHARE_USED, sendOnce(true));
        assertEquals(StreamSender.SEGMENT_BYTES, total.bytes());
        assertEquals(0, done());
        assertEquals(SendResult.DRAINED, sendOnce(true));
        assertEquals(1, done());
    }

    @Test
    void shouldFillTheStagingBufferWithMessagesThatFit() throws Exception {
        for (int i = 0; i < 5; i++) {
            add(wrappedBuffer(new byte[StreamSender.STAGING_BYTES / 4]));
        }
        assertEquals(SendResult.SHARE_USED, sendOnce(true));
        assertEquals(StreamSender.STAGING_BYTES, total.bytes());
        assertEquals(4, done());
    }

    @Test
    void shouldNeedNoCallForMessagesWithoutBytes() throws Exception {
        add(EMPTY_BUFFER);
        assertEquals(SendResult.DRAINED, sender.send(socket, queue, 0, true, total));
        assertEquals(1, done());
        assertEquals(0, total.bytes());
    }

    @Test
    void shouldSayThatTheKernelTakesNoMore() throws Exception {
        for (int i = 0; i < 1000; i++) {
            add(wrappedBuffer(new byte[StreamSender.STAGING_BYTES]));
        }
        assertEquals(SendResult.BLOCKED, sender.send(socket, queue, 2000, true, total));
        assertTrue(done() < 1000, () -> done() + " of 1000 were sent to a peer that does not read");
    }

    @Test
    void shouldStopBeforeTheEndOfTheOutput() throws Exception {
        add(wrappedBuffer(new byte[10]));
        add(EMPTY_BUFFER);
        ChannelFuture end = Channels.future(channel);
        queue.append(new OutgoingMessage(new DownstreamMessageEvent(channel, end, OutputShutdown.INSTANCE, null)));
        add(wrappedBuffer(new byte[10]));
        assertEquals(SendResult.SHARE_USED, sender.send(socket, queue, 16, true, total));
        assertEquals(10, total.bytes());
        assertEquals(2, done());
        assertTrue(queue.peek().isOutputEnd());
    }
}
