package org.freshet.handler.queue;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.FakeChannel;
import org.freshet.channel.MessageEvent;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

class BlockingReadHandlerTest {
    private final BlockingReadHandler<String> handler = new BlockingReadHandler<>();
    private final MemoryChannel channel = MemoryChannel.connected(handler);

    @Test
    void shouldReadMessagesInOrderAndThenTheEnd() throws Exception {
        channel.receive("a");
        channel.receive("b");
        assertFalse(handler.isClosed());
        channel.close();
        assertTrue(handler.isClosed());
        assertEquals("a", handler.read());
        assertEquals("b", handler.read(1, SECONDS));
        assertNull(handler.read());
        assertNull(handler.read(1, SECONDS));
        assertNull(handler.readEvent());
        assertEquals(List.of(), channel.takeReceived());
    }

    @Test
    void shouldWaitForAMessage() {
        CompletableFuture<String> read = new CompletableFuture<>();
        Thread reader = new Thread(() -> {
            try {
                read.complete(handler.read());
            } catch (IOException | InterruptedException e) {
                read.completeExceptionally(e);
            }
        });
        reader.start();
        Await.until(() -> reader.getState() == Thread.State.WAITING, "the reader to wait");
        channel.receive("at last");
        assertEquals("at last", Await.result(read, "the message"));
        Await.end(reader);
    }

    @Test
    void shouldReportTheEndToEveryReader() {
        List<Reader> readers = List.of(new Reader(handler), new Reader(handler), new Reader(handler));
        channel.close();
        readers.forEach(reader -> assertNull(reader.result()));
    }

    @Test
    void shouldReportTheEndToEveryReaderWhenItIsRemoved() throws Exception {
        List<Reader> readers = List.of(new Reader(handler), new Reader(handler));
        channel.getPipeline().remove(handler);
        readers.forEach(reader -> assertNull(reader.result()));
        assertNull(handler.read(0, SECONDS));
        assertTrue(handler.isClosed());
    }

    @Test
    void shouldDeliverQueuedMessagesBeforeTheEndIfRemovedWithAFullQueue() throws Exception {
        BlockingReadHandler<String> full = new BlockingReadHandler<>(new ArrayBlockingQueue<>(1));
        MemoryChannel its = MemoryChannel.connected(full);
        its.receive("a");
        its.getPipeline().remove(full);
        assertEquals("a", full.read());
        assertNull(full.read(0, SECONDS));
        assertNull(full.read());
    }

    @Test
    void shouldReadWhenItWasMovedToAnotherPipelineBeforeItsFirstEvent() throws Exception {
        BlockingReadHandler<String> moved = new BlockingReadHandler<>();
        ChannelPipeline draft = Channels.pipeline(moved);
        draft.remove(moved);
        MemoryChannel.connected(moved).receive("a");
        assertEquals("a", moved.read(0, SECONDS));
    }

    @Test
    void shouldTimeOutAndContinueLater() throws Exception {
        BlockingReadTimeoutException e =
                assertThrows(BlockingReadTimeoutException.class, () -> handler.read(1, MILLISECONDS));
        assertEquals("nothing was received within 1 MILLISECONDS", e.getMessage());
        assertThrows(BlockingReadTimeoutException.class, () -> handler.readEvent(0, SECONDS));
        channel.receive("later");
        assertEquals("later", handler.read(1, SECONDS));
    }

    @Test
    void shouldThrowCaughtExceptionsAndContinue() throws Exception {
        Exception cause = new Exception();
        Channels.fireExceptionCaught(channel, cause);
        channel.receive("next");
        assertSame(cause, assertThrows(IOException.class, handler::read).getCause());
        assertEquals("next", handler.read());
    }

    @Test
    void shouldReturnWholeEvents() throws Exception {
        channel.receive("a");
        Channels.fireExceptionCaught(channel, new Exception());
        assertEquals("a", ((MessageEvent) handler.readEvent()).getMessage());
        assertInstanceOf(ExceptionEvent.class, handler.readEvent(1, SECONDS));
    }

    @Test
    void shouldRefuseToReadOnTheIoThread() throws Exception {
        BlockingReadHandler<String> own = new BlockingReadHandler<>();
        FakeChannel bound = new FakeChannel(1, null, own);
        bound.ioThread = Thread.currentThread();
        Channels.fireMessageReceived(bound, "a");
        assertThrows(IllegalStateException.class, own::read);
        assertThrows(IllegalStateException.class, () -> own.read(1, SECONDS));
        bound.ioThread = null;
        assertEquals("a", own.read());
    }

    @Test
    void shouldUseTheQueueItIsGiven() throws Exception {
        BlockingQueue<ChannelEvent> queue = new ArrayBlockingQueue<>(2);
        BlockingReadHandler<String> own = new BlockingReadHandler<>(queue);
        MemoryChannel bounded = MemoryChannel.connected(own);
        bounded.receive("a");
        bounded.close();
        assertEquals(2, queue.size());
        assertSame(queue, own.getQueue());
        assertEquals("a", own.read());
        assertNull(own.read());
        assertNull(own.read());
        assertThrows(NullPointerException.class, () -> new BlockingReadHandler<>(null));
    }

    @Test
    void shouldNameTheCauseOfATimeout() {
        Exception cause = new Exception("why");
        assertSame(cause, new BlockingReadTimeoutException("text", cause).getCause());
        assertEquals("java.lang.Exception: why", new BlockingReadTimeoutException(cause).getMessage());
        assertNull(new BlockingReadTimeoutException((Throwable) null).getMessage());
    }

    // ---- interrupts, and a queue that throws ----

    @Test
    void shouldLoseNothingWhenTheIoThreadIsInterruptedAndTheQueueHasRoom() throws Exception {
        Thread.currentThread().interrupt();
        channel.receive("a");
        assertTrue(Thread.interrupted());
        assertEquals("a", handler.read(0, SECONDS));
    }

    @Test
    void shouldGiveTheEndToAWaitingReaderWhenTheIoThreadIsInterrupted() {
        Reader reader = new Reader(handler);
        Thread.currentThread().interrupt();
        channel.close();
        assertTrue(Thread.interrupted());
        assertNull(reader.result());
    }

    @Test
    void shouldGiveTheEndToEveryReaderWhenOneIsInterruptedAsItTakesIt() throws Exception {
        BlockingReadHandler<String> interrupted = new BlockingReadHandler<>(new LinkedBlockingQueue<>() {
            @Override
            public ChannelEvent take() throws InterruptedException {
                ChannelEvent taken = super.take();
                Thread.currentThread().interrupt();
                return taken;
            }
        });
        MemoryChannel its = MemoryChannel.connected(interrupted);
        List<Reader> readers = List.of(new Reader(interrupted), new Reader(interrupted));
        its.close();
        readers.forEach(reader -> assertNull(reader.result()));
        assertNull(interrupted.readEvent(0, SECONDS));
    }

    @Test
    void shouldEndWhenTheIoThreadGaveUpOnAFullQueue() throws Exception {
        BlockingReadHandler<String> full = new BlockingReadHandler<>(new ArrayBlockingQueue<>(1));
        MemoryChannel its = MemoryChannel.connected(full);
        its.receive("a");
        Thread io = new Thread(() -> {
            Thread.currentThread().interrupt();
            its.close(); // the end marker does not fit in
        });
        io.start();
        Await.until(() -> io.getState() == Thread.State.WAITING, "the I/O thread to report the interrupt");
        assertEquals("a", full.read());
        Await.end(io);
        assertInstanceOf(
                InterruptedException.class,
                assertThrows(IOException.class, full::read).getCause());
        assertNull(full.read());
        assertNull(full.read(0, SECONDS));
    }

    @Test
    void shouldReportAMessageThatTheQueueRefusedToReaders() throws Exception {
        FailingQueue queue = new FailingQueue();
        BlockingReadHandler<String> failing = new BlockingReadHandler<>(queue);
        MemoryChannel its = MemoryChannel.connected(failing);
        queue.failures = 1;
        its.receive("lost");
        its.receive("next");
        assertSame(
                FailingQueue.CAUSE,
                assertThrows(IOException.class, () -> failing.read(0, SECONDS)).getCause());
        assertEquals("next", failing.read(0, SECONDS));
    }

    @Test
    void shouldEndForReadersWhoseQueueRefusedTheEnd() throws Exception {
        FailingQueue queue = new FailingQueue();
        BlockingReadHandler<String> failing = new BlockingReadHandler<>(queue);
        MemoryChannel its = MemoryChannel.connected(failing);
        queue.failures = 1;
        its.close();
        assertTrue(its.getCloseFuture().isDone());
        assertSame(
                FailingQueue.CAUSE,
                assertThrows(IOException.class, () -> failing.read(0, SECONDS)).getCause());
        assertNull(failing.read(0, SECONDS));
        assertNull(failing.read());
    }

    /** Refuses some elements, however they are added. */
    private static final class FailingQueue extends LinkedBlockingQueue<ChannelEvent> {
        static final IllegalStateException CAUSE = new IllegalStateException("the queue's own");
        private static final long serialVersionUID = 1L;

        int failures;

        @Override
        public boolean offer(ChannelEvent e) {
            fail();
            return super.offer(e);
        }

        @Override
        public void put(ChannelEvent e) throws InterruptedException {
            fail();
            super.put(e);
        }

        private void fail() {
            if (failures-- > 0) {
                throw CAUSE;
            }
        }
    }

    /** A thread that reads one event. */
    private static final class Reader {
        private final CompletableFuture<ChannelEvent> read = new CompletableFuture<>();
        private final Thread thread;

        Reader(BlockingReadHandler<?> handler) {
            thread = new Thread(() -> {
                try {
                    read.complete(handler.readEvent());
                } catch (Throwable t) {
                    read.completeExceptionally(t);
                }
            });
            thread.start();
            Await.until(() -> thread.getState() == Thread.State.WAITING, "a reader to wait");
        }

        ChannelEvent result() {
            ChannelEvent result = Await.result(read, "the reader");
            Await.end(thread);
            return result;
        }
    }
}
