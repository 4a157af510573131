package org.freshet.handler.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.buffer.DuplicatedChannelBuffer;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.OutputShutdown;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.stream.ChunkedInput;
import org.freshet.handler.stream.ChunkedStream;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

class BufferedWriteHandlerTest {
    private final BufferedWriteHandler handler = new BufferedWriteHandler();
    private final MemoryChannel channel = MemoryChannel.connected(handler);

    private static ChannelBuffer bytes(String text) {
        return ChannelBuffers.copiedBuffer(text, StandardCharsets.US_ASCII);
    }

    private static List<String> texts(List<Object> buffers) {
        return buffers.stream()
                .map(buffer -> ((ChannelBuffer) buffer).toString(StandardCharsets.US_ASCII))
                .toList();
    }

    @Test
    void shouldHoldWritesUntilFlushed() {
        ChannelFuture a = channel.write("a");
        ChannelFuture b = channel.write("b");
        assertEquals(List.of(), channel.takeWritten());
        assertFalse(a.isDone());
        handler.flush();
        assertEquals(List.of("a", "b"), channel.takeWritten());
        assertTrue(a.isSuccess() && b.isSuccess());
        handler.flush();
        assertEquals(List.of(), channel.takeWritten());
    }

    @Test
    void shouldFlushBeforeTheOutputEnds() {
        ChannelFuture written = channel.write("a");
        ChannelFuture ended = Channels.shutdownOutput(channel);
        assertEquals(List.of("a", OutputShutdown.INSTANCE), channel.takeWritten());
        assertTrue(written.isSuccess() && ended.isSuccess());
    }

    @Test
    void shouldConsolidateConsecutiveBuffers() {
        ChannelFuture a = channel.write(bytes("a"));
        ChannelFuture bc = channel.write(bytes("bc"));
        channel.write("not a buffer");
        channel.write(bytes("d"));
        channel.holdWrites();
        handler.flush(true);
        List<Object> written = channel.takeWritten();
        assertEquals(3, written.size());
        assertEquals(List.of("abc"), texts(written.subList(0, 1)));
        assertEquals("not a buffer", written.get(1));
        assertEquals(List.of("d"), texts(written.subList(2, 3)));
        assertFalse(a.isDone() || bc.isDone());
        channel.completeWrites();
        assertTrue(a.isSuccess() && bc.isSuccess());
    }

    @Test
    void shouldFailAllConsolidatedWrites() {
        channel.holdWrites();
        ChannelFuture a = channel.write(bytes("a"));
        ChannelFuture b = channel.write(bytes("b"));
        handler.flush(true);
        Exception cause = new Exception();
        channel.failWrites(cause);
        assertSame(cause, a.getCause());
        assertSame(cause, b.getCause());
    }

    @Test
    void shouldNotConsolidateBuffersOfDifferentByteOrder() {
        ChannelBuffer little = ChannelBuffers.copiedBuffer(ByteOrder.LITTLE_ENDIAN, "c", StandardCharsets.US_ASCII);
        List<ChannelFuture> futures =
                List.of(channel.write(bytes("a")), channel.write(bytes("b")), channel.write(little));
        handler.flush(true);
        assertEquals(List.of("ab", "c"), texts(channel.takeWritten()));
        futures.forEach(future -> assertTrue(future.isSuccess()));
    }

    /** Whatever makes joining fail, the messages have left the queue by then. */
    @Test
    void shouldFailMessagesThatCannotBeJoined() {
        List<ChannelFuture> futures = List.of(channel.write(bytes("a")), channel.write(new BrokenBuffer()));
        handler.flush(true);
        for (ChannelFuture future : futures) {
            assertEquals("thrown on purpose", Await.failure(future, "a write").getMessage());
        }
        assertEquals(1, channel.takeCaught().size());
        Await.success(writeAndFlush("c"), "a later write");
    }

    private ChannelFuture writeAndFlush(Object message) {
        ChannelFuture future = channel.write(message);
        handler.flush();
        return future;
    }

    private static final class BrokenBuffer extends DuplicatedChannelBuffer {
        BrokenBuffer() {
            super(bytes("b"));
        }

        @Override
        public boolean readable() {
            throw new IllegalStateException("thrown on purpose");
        }
    }

    @Test
    void shouldNotConsolidateMessagesToDifferentReceivers() {
        SocketAddress here = InetSocketAddress.createUnresolved("here", 1);
        SocketAddress there = InetSocketAddress.createUnresolved("there", 1);
        channel.write(bytes("a"), here);
        channel.write(bytes("b"), here);
        channel.write(bytes("c"), there);
        handler.flush(true);
        assertEquals(List.of("ab", "c"), texts(channel.takeWritten()));
        assertEquals(
                List.of(here, there),
                channel.takeDownstream().stream()
                        .filter(MessageEvent.class::isInstance)
                        .map(e -> ((MessageEvent) e).getRemoteAddress())
                        .toList());
    }

    @Test
    void shouldFlushAsConfigured() {
        BufferedWriteHandler consolidating = new BufferedWriteHandler(true);
        assertTrue(consolidating.isConsolidateOnFlush());
        assertFalse(handler.isConsolidateOnFlush());
        MemoryChannel other = MemoryChannel.connected(consolidating);
        other.write(bytes("a"));
        other.write(bytes("b"));
        consolidating.flush();
        assertEquals(List.of("ab"), texts(other.takeWritten()));
        other.write(bytes("c"));
        other.write(bytes("d"));
        consolidating.flush(false);
        assertEquals(List.of("c", "d"), texts(other.takeWritten()));
    }

    @Test
    void shouldFlushBeforeTheChannelIsClosedOrDisconnected() {
        ChannelFuture a = channel.write("a");
        channel.close();
        assertEquals(List.of("a"), channel.takeWritten());
        assertTrue(a.isSuccess());
        BufferedWriteHandler other = new BufferedWriteHandler();
        MemoryChannel disconnected = MemoryChannel.connected(other);
        ChannelFuture b = disconnected.write("b");
        disconnected.disconnect();
        assertTrue(b.isSuccess());
        assertFalse(disconnected.isOpen());
    }

    @Test
    void shouldFailHeldMessagesWhenTheChannelHasClosed() {
        ChannelFuture a = channel.write("a");
        Channels.close(channel.context(handler), channel.getCloseFuture());
        assertInstanceOf(ClosedChannelException.class, a.getCause());
        assertInstanceOf(ClosedChannelException.class, channel.write("b").getCause());
        assertEquals(List.of(), channel.takeWritten());
    }

    /** Meant for a handler below that reads it; it counts as much as a file from the start. */
    @Test
    void shouldCloseAHeldInputWhenTheChannelHasClosed() throws Exception {
        AtomicInteger closes = new AtomicInteger();
        ChunkedInput input = new ChunkedStream(InputStream.nullInputStream()) {
            @Override
            public void close() {
                closes.incrementAndGet();
            }
        };
        ChannelFuture written = channel.write(input);
        assertEquals(WriteAccount.FILE_BYTES, WriteAccount.waitingBytes(channel));

        Channels.fireChannelClosed(channel);

        assertInstanceOf(ClosedChannelException.class, written.getCause());
        assertEquals(1, closes.get());
    }

    @Test
    void shouldFlushWhenRemoved() {
        ChannelFuture a = channel.write("a");
        channel.getPipeline().remove(handler);
        assertTrue(a.isSuccess());
        assertTrue(channel.write("b").isSuccess());
        assertEquals(List.of("a", "b"), channel.takeWritten());
    }

    @Test
    void shouldSendInTheOrderOfTheQueueItIsGiven() {
        PriorityBlockingQueue<MessageEvent> shortestFirst = new PriorityBlockingQueue<>(
                8, Comparator.comparingInt(e -> e.getMessage().toString().length()));
        BufferedWriteHandler ordered = new BufferedWriteHandler(shortestFirst);
        MemoryChannel other = MemoryChannel.connected(ordered);
        other.write("long");
        other.write("s");
        other.write("mid");
        ordered.flush();
        assertEquals(List.of("s", "mid", "long"), other.takeWritten());
        assertThrows(NullPointerException.class, () -> new BufferedWriteHandler(null, true));
    }

    /** A thread may enter the handler while another one removes it. */
    @Test
    void shouldSendWritesAfterItsRemovalImmediately() throws Exception {
        ChannelHandlerContext place = channel.context(handler);
        channel.getPipeline().remove(handler);
        ChannelFuture late = Channels.future(channel);
        handler.handleDownstream(place, new DownstreamMessageEvent(channel, late, "late", null));
        assertEquals(List.of("late"), channel.takeWritten());
        assertTrue(late.isSuccess());
    }

    @Test
    void shouldDoNothingOutsideAPipeline() {
        new BufferedWriteHandler(new ConcurrentLinkedQueue<>()).flush();
        assertEquals(List.of(), channel.takeWritten());
    }

    @Test
    void shouldKeepTheOrderOfEachThreadAndCompleteEveryWriteWhileManyFlush() {
        int threads = 4;
        int writesPerThread = 5_000;
        List<List<ChannelFuture>> futures = new ArrayList<>();
        List<Thread> writers = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int thread = t;
            List<ChannelFuture> own = new ArrayList<>();
            futures.add(own);
            writers.add(new Thread(() -> {
                for (int i = 0; i < writesPerThread; i++) {
                    own.add(channel.write(thread * writesPerThread + i));
                    if (i % 7 == 0) {
                        handler.flush();
                    }
                }
                handler.flush();
            }));
        }
        writers.forEach(Thread::start);
        writers.forEach(Await::end);
        int[] last = new int[threads];
        Arrays.fill(last, -1);
        List<Object> written = channel.takeWritten();
        for (Object message : written) {
            int thread = (Integer) message / writesPerThread;
            int index = (Integer) message % writesPerThread;
            assertEquals(last[thread] + 1, index, "message of thread " + thread);
            last[thread] = index;
        }
        assertEquals(threads * writesPerThread, written.size());
        futures.forEach(own -> own.forEach(future -> assertTrue(future.isSuccess())));
    }

    /**
     * The writer has queued its message but not yet checked whether the channel is open when the close fails the queue.
     */
    @Test
    void shouldFailAWriteThatMeetsTheClose() {
        CountDownLatch queued = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        List<ChannelFuture> late = new CopyOnWriteArrayList<>();
        MemoryChannel[] channels = new MemoryChannel[1];
        Thread writer = new Thread(() -> late.add(channels[0].write("late")));
        BufferedWriteHandler racing = new BufferedWriteHandler(new ConcurrentLinkedQueue<>() {
            @Override
            public boolean add(MessageEvent e) {
                boolean added = super.add(e);
                queued.countDown();
                Await.latch(closed, "the close");
                return added;
            }

            @Override
            public boolean isEmpty() {
                boolean wasEmpty = super.isEmpty();
                if (!channels[0].isOpen() && writer.getState() == Thread.State.NEW) {
                    writer.start();
                    Await.latch(queued, "the write");
                }
                return wasEmpty;
            }
        });
        channels[0] = MemoryChannel.connected(racing);
        channels[0].close();
        closed.countDown();
        Await.end(writer);
        assertInstanceOf(ClosedChannelException.class, Await.failure(late.get(0), "the write"));
        assertEquals(0, WriteAccount.waitingBytes(channels[0]));
    }
}
