package org.freshet.channel.socket.nio.send;

import static org.freshet.buffer.ChannelBuffers.EMPTY_BUFFER;
import static org.freshet.buffer.ChannelBuffers.directBuffer;
import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.HeapChannelBufferFactory;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureProgressListener;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.FileRegion;
import org.freshet.channel.OutputShutdown;
import org.freshet.internal.lending.LentChannelBuffer;
import org.freshet.internal.lending.Loan;
import org.freshet.internal.telemetry.LoopCounters;
import org.freshet.internal.write.OutgoingMessage;
import org.freshet.testing.MemoryChannelFactory;
import org.freshet.testing.Recorder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How many system calls sending messages takes: each send is limited to one. */
class StreamSenderTest {
    private final LoopCounters counters = new LoopCounters();
    private final StreamSender sender = new StreamSender(counters);
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

    private void add(Object message) {
        queue.append(message(message));
    }

    private OutgoingMessage message(Object message) {
        ChannelFuture future = Channels.future(channel);
        futures.add(future);
        return new OutgoingMessage(new DownstreamMessageEvent(channel, future, message, null));
    }

    private static ChannelBuffer direct(int bytes) {
        ChannelBuffer buffer = directBuffer(bytes);
        buffer.writerIndex(bytes);
        return buffer;
    }

    private static LentChannelBuffer lent(int bytes) {
        ByteBuffer memory = ByteBuffer.allocateDirect(bytes);
        return new LentChannelBuffer(
                new Loan(memory, memory.duplicate(), new byte[bytes], bytes, HeapChannelBufferFactory.getInstance()) {
                    @Override
                    protected String borrower() {
                        return "test";
                    }

                    @Override
                    public boolean takesWriteTo(Object channel) {
                        return true;
                    }
                });
    }

    /** A region that claims to have sent whatever it is configured to claim. */
    private record Region(long count, long sent) implements FileRegion {
        @Override
        public long getPosition() {
            return 0;
        }

        @Override
        public long getCount() {
            return count;
        }

        @Override
        public long transferTo(WritableByteChannel target, long position) {
            return sent;
        }

        @Override
        public void releaseExternalResources() {
            // there are none
        }
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
    void shouldSendEachMessageSeparatelyIfConfigured() throws Exception {
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
    void shouldSendALargeDirectBufferSeparately() throws Exception {
        add(wrappedBuffer(new byte[10]));
        add(direct(20_000));
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
    void shouldSendNoMoreMessagesAtOnceThanFitIntoASegment() throws Exception {
        for (int i = 0; i < 5; i++) {
            add(wrappedBuffer(new byte[StreamSender.STAGING_BYTES / 4]));
        }
        assertEquals(SendResult.SHARE_USED, sendOnce(true));
        assertEquals(StreamSender.SEGMENT_BYTES, total.bytes());
        assertEquals(3, done());
    }

    @Test
    void shouldSendAMessageThatFillsTheStagingBufferInOneCall() throws Exception {
        add(wrappedBuffer(new byte[StreamSender.STAGING_BYTES]));
        assertEquals(SendResult.DRAINED, sendOnce(true));
    }

    @ParameterizedTest
    @CsvSource({"16383, true", "16384, false"})
    void shouldJoinADirectBufferOnlyIfItIsSmall(int bytes, boolean isJoined) throws Exception {
        add(direct(bytes));
        add(wrappedBuffer(new byte[10]));
        sendOnce(true);
        assertEquals(isJoined ? bytes + 10 : bytes, total.bytes());
    }

    @ParameterizedTest
    @CsvSource({"4095, true", "4096, false"})
    void shouldJoinALentBufferOnlyIfItIsSmall(int bytes, boolean isJoined) throws Exception {
        add(wrappedBuffer(new byte[10]));
        add(lent(bytes));
        add(wrappedBuffer(new byte[10]));
        sendOnce(true);
        assertEquals(isJoined ? bytes + 20 : 10, total.bytes());
        sendOnce(true);
        assertEquals(isJoined ? bytes + 20 : bytes + 10, total.bytes());
    }

    @Test
    void shouldJoinALargeLentBufferThatWasChanged() throws Exception {
        LentChannelBuffer changed = lent(5000);
        changed.setByte(0, 1);
        add(changed);
        add(wrappedBuffer(new byte[10]));
        assertEquals(SendResult.DRAINED, sendOnce(true));
        assertEquals(5010, total.bytes());
    }

    @Test
    void shouldCountTheCallsOfAFlushAndOfTheLoop() throws Exception {
        add(wrappedBuffer(new byte[10]));
        add(direct(20_000));
        assertEquals(SendResult.DRAINED, sender.send(socket, queue, 16, true, total));
        assertEquals(2, total.sends());
        assertEquals(20_010, total.bytes());
        assertEquals(2, counters.writes());
    }

    @Test
    void shouldSendWritesMadeWhenAMessageWasSent() throws Exception {
        add(wrappedBuffer(new byte[10]));
        futures.get(0).addListener(sent -> queue.push(message(wrappedBuffer(new byte[5]))));
        assertEquals(SendResult.DRAINED, sender.send(socket, queue, 2, true, total));
        assertEquals(15, total.bytes());
        assertEquals(2, done());
    }

    // ---- regions of files -------------------------------------------------------------------------------------------

    @Test
    void shouldSendARegionSeparatelyAndReportItsProgress() throws Exception {
        List<Long> progress = new ArrayList<>();
        add(wrappedBuffer(new byte[10]));
        add(new Region(100, 40));
        futures.get(1).addListener(new ChannelFutureProgressListener() {
            @Override
            public void operationProgressed(ChannelFuture future, long amount, long current, long count) {
                progress.addAll(List.of(amount, current, count));
            }

            @Override
            public void operationComplete(ChannelFuture future) {
                throw new AssertionError("60 bytes are left");
            }
        });
        assertEquals(SendResult.SHARE_USED, sendOnce(true));
        assertEquals(10, total.bytes());
        assertEquals(SendResult.BLOCKED, sendOnce(true));
        assertEquals(50, total.bytes());
        assertEquals(List.of(40L, 40L, 100L), progress);
    }

    @ParameterizedTest
    @CsvSource({"0, BLOCKED", "100, DRAINED"})
    void shouldAcceptRegionsThatSendNothingOrEverything(long sent, SendResult result) throws Exception {
        add(new Region(100, sent));
        assertEquals(result, sendOnce(true));
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 101})
    void shouldRefuseARegionThatClaimsToSendMoreThanItHas(long sent) {
        add(new Region(100, sent));
        assertThrows(IOException.class, () -> sendOnce(true));
    }

    @Test
    void shouldNeedNoCallForMessagesWithoutBytes() throws Exception {
        add(EMPTY_BUFFER);
        assertEquals(SendResult.DRAINED, sender.send(socket, queue, 0, true, total));
        assertEquals(1, done());
        assertEquals(0, total.bytes());
    }

    @Test
    void shouldReportThatTheKernelAcceptsNoMore() throws Exception {
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
