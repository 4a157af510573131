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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import org.freshet.channel.ChannelEvent;
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
    void shouldTellTheEndToEveryReader() {
        List<CompletableFuture<ChannelEvent>> reads = new ArrayList<>();
        List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            CompletableFuture<ChannelEvent> read = new CompletableFuture<>();
            Thread reader = new Thread(() -> {
                try {
                    read.complete(handler.readEvent());
                } catch (InterruptedException e) {
                    read.completeExceptionally(e);
                }
            });
            reads.add(read);
            readers.add(reader);
            reader.start();
            Await.until(() -> reader.getState() == Thread.State.WAITING, "a reader to wait");
        }
        channel.close();
        reads.forEach(read -> assertNull(Await.result(read, "the end")));
        readers.forEach(Await::end);
    }

    @Test
    void shouldGiveUpAfterTheTimeAndGoOnLater() throws Exception {
        BlockingReadTimeoutException e =
                assertThrows(BlockingReadTimeoutException.class, () -> handler.read(1, MILLISECONDS));
        assertEquals("nothing was received within 1 MILLISECONDS", e.getMessage());
        assertThrows(BlockingReadTimeoutException.class, () -> handler.readEvent(0, SECONDS));
        channel.receive("later");
        assertEquals("later", handler.read(1, SECONDS));
    }

    @Test
    void shouldThrowWhatWasCaughtAndGoOn() throws Exception {
        Exception cause = new Exception();
        Channels.fireExceptionCaught(channel, cause);
        channel.receive("next");
        assertSame(cause, assertThrows(IOException.class, handler::read).getCause());
        assertEquals("next", handler.read());
    }

    @Test
    void shouldGiveWholeEvents() throws Exception {
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
}
