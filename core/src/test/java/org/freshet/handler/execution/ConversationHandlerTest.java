package org.freshet.handler.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.internal.IoThreads;
import org.freshet.internal.WakeUps;
import org.freshet.internal.drain.ChannelDrain;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Scarcity;
import org.junit.jupiter.api.Test;

class ConversationHandlerTest {
    /** A log of the conversation, and how it ended. */
    private final CompletableFuture<List<Object>> result = new CompletableFuture<>();

    private final CountDownLatch mayBegin = new CountDownLatch(1);
    private volatile Thread thread;

    private interface Body {
        void talk(BlockingConnection connection, List<Object> seen) throws Exception;
    }

    /** A channel that holds a conversation; the result is set before the channel is closed. */
    private MemoryChannel channel(Body body) {
        return MemoryChannel.connected(new ConversationHandler(connection -> {
            thread = Thread.currentThread();
            List<Object> seen = new ArrayList<>();
            try {
                body.talk(connection, seen);
                result.complete(seen);
            } catch (Throwable t) {
                result.completeExceptionally(t);
                throw t;
            }
        }));
    }

    private List<Object> result() {
        return Await.result(result, "the end of the conversation");
    }

    private static void awaitClosed(MemoryChannel channel) {
        Await.success(channel.getCloseFuture(), "the close");
    }

    private void awaitBlocked() {
        Await.until(() -> thread != null, "the conversation's thread");
        Await.waiting(thread, "the conversation's thread");
    }

    @Test
    void shouldReadAndWriteInTurnAndCloseAtTheEnd() {
        MemoryChannel channel = channel((connection, seen) -> {
            connection.write("name?");
            seen.add(connection.read());
            connection.write("age?");
            seen.add(connection.read());
            connection.write("bye");
        });
        channel.receive("Ann");
        channel.receive(33);

        assertEquals(List.of("Ann", 33), result());
        awaitClosed(channel);
        assertEquals(List.of("name?", "age?", "bye"), channel.takeWritten());
        assertEquals(CloseReason.LOCAL, channel.getCloseReason());
    }

    @Test
    void shouldCloseTheChannelAlthoughMemoryRunsOutWhenAFailureIsReported() {
        Scarcity scarcity = Scarcity.later(0);
        MemoryChannel channel = channel((connection, seen) -> {
            mayBegin.await();
            scarcity.begin();
            throw new IllegalStateException("planned");
        });
        channel.scarceTasks(scarcity);
        mayBegin.countDown();

        awaitClosed(channel);
        assertTrue(scarcity.wasReached());
    }

    @Test
    void shouldReadNullAfterTheLastMessage() throws Exception {
        MemoryChannel channel = channel((connection, seen) -> {
            mayBegin.await();
            for (Object m = connection.read(); m != null; m = connection.read()) {
                seen.add(m);
            }
            seen.add(String.valueOf(connection.read()));
        });
        channel.receive("a");
        channel.receive("b");
        channel.close();
        mayBegin.countDown();

        assertEquals(List.of("a", "b", "null"), result());
    }

    @Test
    void shouldSuspendReadingWhileTheConversationTakesNoMessage() {
        MemoryChannel channel = channel((connection, seen) -> {
            mayBegin.await();
            for (int i = 0; i < BlockingConnection.MAX_MESSAGES / 2; i++) {
                seen.add(connection.read());
            }
            seen.add("readable: " + channelOf(connection).isReadable());
        });
        for (int i = 1; i < BlockingConnection.MAX_MESSAGES; i++) {
            channel.receive(i);
        }
        assertTrue(channel.isReadable());
        channel.receive(BlockingConnection.MAX_MESSAGES);
        assertFalse(channel.isReadable());
        mayBegin.countDown();

        assertEquals("readable: true", result().get(BlockingConnection.MAX_MESSAGES / 2));
    }

    private static MemoryChannel channelOf(BlockingConnection connection) {
        return (MemoryChannel) connection.channel();
    }

    @Test
    void shouldSuspendReadingWhileManyBytesWaitUntilHalfOfThemAreRead() {
        int moreThanHalf = BlockingConnection.MAX_BYTES / 2 + 1;
        MemoryChannel channel = channel((connection, seen) -> {
            mayBegin.await();
            for (int i = 0; i < 3; i++) {
                connection.read();
                seen.add(channelOf(connection).isReadable());
            }
        });
        channel.receive(new byte[100]);
        channel.receive(new byte[moreThanHalf]);
        assertTrue(channel.isReadable());
        channel.receive(new byte[moreThanHalf]);
        assertFalse(channel.isReadable());
        mayBegin.countDown();

        assertEquals(List.of(false, false, true), result());
    }

    @Test
    void shouldFailToWriteToAClosedChannel() {
        MemoryChannel channel = channel((connection, seen) -> {
            mayBegin.await();
            seen.add(assertThrows(ChannelClosedException.class, () -> connection.write("late"))
                    .getReason());
        });
        channel.close(CloseReason.PEER_CLOSED);
        mayBegin.countDown();

        assertEquals(List.of(CloseReason.PEER_CLOSED), result());
    }

    @Test
    void shouldCloseForTheReasonThatTheConversationGives() {
        MemoryChannel channel = channel((connection, seen) -> connection.close(CloseReason.COMPLETED));

        awaitClosed(channel);
        assertEquals(CloseReason.COMPLETED, channel.getCloseReason());
    }

    /** No event may follow channelClosed. */
    @Test
    void shouldLogAFaultOfTheConversationAfterTheClose() {
        IllegalStateException fault = new IllegalStateException("a fault of the application");
        try (CapturedLog log = CapturedLog.start()) {
            MemoryChannel channel = channel((connection, seen) -> {
                mayBegin.await();
                throw fault;
            });
            channel.close();
            mayBegin.countDown();
            assertSame(
                    fault,
                    log.awaitMessage(m -> m.level() == InternalLogLevel.WARN).cause());
            assertEquals(List.of(), channel.takeCaught());
        }
    }

    @Test
    void shouldRememberRequestsOfHandlersWhileReadingIsSuspended() {
        MemoryChannel channel = channel((connection, seen) -> {
            mayBegin.await();
            while (seen.size() < BlockingConnection.MAX_MESSAGES) {
                seen.add(connection.read());
            }
        });
        for (int i = 0; i < BlockingConnection.MAX_MESSAGES; i++) {
            channel.receive(i);
        }
        channel.setReadable(false);
        mayBegin.countDown();
        result();
        assertFalse(channel.isReadable());
    }

    @Test
    void shouldWaitToWriteUntilTheChannelIsWritable() {
        MemoryChannel channel = channel((connection, seen) -> {
            mayBegin.await();
            connection.write("late");
        });
        channel.turnWritable(false);
        mayBegin.countDown();
        awaitBlocked();
        assertEquals(List.of(), channel.takeWritten());

        channel.turnWritable(true);

        result();
        assertEquals(List.of("late"), channel.takeWritten());
    }

    @Test
    void shouldFailToWriteWhenTheChannelClosesInTheMeantime() {
        MemoryChannel channel = channel((connection, seen) -> {
            mayBegin.await();
            seen.add(assertThrows(ChannelClosedException.class, () -> connection.write("late"))
                    .getReason());
        });
        channel.turnWritable(false);
        mayBegin.countDown();
        awaitBlocked();

        channel.close(CloseReason.PEER_CLOSED);

        assertEquals(List.of(CloseReason.PEER_CLOSED), result());
    }

    @Test
    void shouldContinueToWriteWhenTheChannelIsWritableAgainAfterTheHandlerWasRemoved() {
        MemoryChannel channel = channelWithWriteThatWaitsAfterTheRemoval();

        channel.turnWritable(true);

        assertEquals(List.of("written"), result());
        assertEquals(List.of("late"), channel.takeWritten());
    }

    @Test
    void shouldFailToWriteWhenTheChannelIsClosedAfterTheHandlerWasRemoved() {
        MemoryChannel channel = channelWithWriteThatWaitsAfterTheRemoval();

        channel.close(CloseReason.PEER_CLOSED);

        assertEquals(List.of(CloseReason.PEER_CLOSED), result());
    }

    /** The conversation appends "written", or the reason for the close. */
    private MemoryChannel channelWithWriteThatWaitsAfterTheRemoval() {
        CountDownLatch writes = new CountDownLatch(1);
        MemoryChannel channel = channel((connection, seen) -> {
            mayBegin.await();
            writes.countDown();
            try {
                connection.write("late");
                seen.add("written");
            } catch (ChannelClosedException e) {
                seen.add(e.getReason());
            }
        });
        channel.turnWritable(false);
        channel.getPipeline().remove(ConversationHandler.class);
        mayBegin.countDown();
        Await.latch(writes, "the write");
        Await.waiting(thread, "the thread that writes");
        return channel;
    }

    @Test
    void shouldThrowFailuresInOrderBetweenMessages() {
        IOException reset = new IOException("reset");
        MemoryChannel channel = channel((connection, seen) -> {
            seen.add(connection.read());
            seen.add(assertThrows(IOException.class, connection::read));
            seen.add(connection.read());
        });
        channel.receive("before");
        Channels.fireExceptionCaught(channel, reset);
        channel.receive("after");

        assertEquals(List.of("before", reset, "after"), result());
        assertEquals(List.of(), channel.takeCaught());
    }

    @Test
    void shouldSendUpFailuresThatTheConversationDidNotRead() {
        IOException unread = new IOException("never read");
        MemoryChannel channel = channel((connection, seen) -> mayBegin.await());
        Channels.fireExceptionCaught(channel, unread);
        mayBegin.countDown();

        awaitClosed(channel);
        assertEquals(List.of(unread), channel.takeCaught());
    }

    @Test
    void shouldSendUpTheConversationsExceptionAndClose() {
        IllegalStateException fault = new IllegalStateException("a fault of the application");
        MemoryChannel channel = channel((connection, seen) -> {
            throw fault;
        });

        awaitClosed(channel);
        assertEquals(List.of(fault), channel.takeCaught());
        assertSame(fault, channel.getCloseReason().cause());
    }

    @Test
    void shouldCloseOnlyAfterTheLastMessageWasSent() {
        MemoryChannel channel = channel((connection, seen) -> {
            mayBegin.await();
            connection.write("a long goodbye");
        });
        channel.holdWrites();
        mayBegin.countDown();
        result();
        Await.until(() -> channel.unansweredWrites() == 1, "the write");
        assertTrue(channel.isOpen());

        channel.completeWrites();

        awaitClosed(channel);
    }

    @Test
    void shouldReadForALimitedTime() {
        MemoryChannel channel = channel((connection, seen) -> {
            seen.add(assertThrows(SocketTimeoutException.class, () -> connection.read(Duration.ZERO))
                    .getMessage());
            seen.add(assertThrows(SocketTimeoutException.class, () -> connection.read(Duration.ofMillis(1)))
                    .getMessage());
            mayBegin.countDown();
            seen.add(connection.read(Duration.ofDays(1)));
        });
        Await.latch(mayBegin, "the time-outs");
        channel.receive("at last");

        assertEquals(List.of("no message within 0 ms", "no message within 1 ms", "at last"), result());
    }

    @Test
    void shouldBeWokenOnceTheLoopHasDoneItsWork() {
        MemoryChannel channel = channel((connection, seen) -> seen.add(connection.read()));
        awaitBlocked();
        WakeUps wakeUps = new WakeUps();
        IoThreads.begin(wakeUps);
        try {
            channel.receive("hello");
        } finally {
            IoThreads.end();
        }
        assertFalse(result.isDone());
        assertFalse(wakeUps.isEmpty());

        wakeUps.run();

        assertEquals(List.of("hello"), result());
        awaitClosed(channel);
    }

    @Test
    void shouldGiveEachMessageToOneOfSeveralReaders() throws Exception {
        int readers = 3;
        CountDownLatch ended = new CountDownLatch(readers);
        Queue<Object> read = new ConcurrentLinkedQueue<>();
        MemoryChannel channel = channel((connection, seen) -> {
            List<Thread> others = new ArrayList<>();
            for (int i = 0; i < readers; i++) {
                others.add(reader(connection, read, ended));
            }
            ended.await();
            for (Thread each : others) {
                each.join();
            }
            seen.addAll(read);
        });
        for (int i = 0; i < 100; i++) {
            channel.receive(i);
        }
        Await.until(() -> read.size() == 100, "all messages");
        channel.close();

        assertEquals(100, Set.copyOf(result()).size());
    }

    /** Reads to the end, with time limits that pass in between. */
    private static Thread reader(BlockingConnection connection, Queue<Object> read, CountDownLatch ended) {
        Thread reader = new Thread(() -> {
            try {
                for (boolean isEnded = false; !isEnded; ) {
                    try {
                        Object message = connection.read(Duration.ofNanos(10_000));
                        isEnded = message == null || !read.add(message);
                    } catch (SocketTimeoutException again) {
                        Thread.yield();
                    }
                }
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            } finally {
                ended.countDown();
            }
        });
        reader.start();
        return reader;
    }

    @Test
    void shouldThrowWhenInterruptedAndReadOn() {
        MemoryChannel channel = channel((connection, seen) -> {
            assertThrows(InterruptedException.class, connection::read);
            seen.add(Thread.interrupted());
            mayBegin.countDown();
            seen.add(connection.read());
        });
        awaitBlocked();
        thread.interrupt();
        Await.latch(mayBegin, "the interrupt");
        channel.receive("hello");

        assertEquals(List.of(false, "hello"), result());
        awaitClosed(channel);
    }

    @Test
    void shouldEndTheInputAndHoldTheChannelWhenDrained() {
        CountDownLatch mayEnd = new CountDownLatch(1);
        MemoryChannel channel = channel((connection, seen) -> {
            seen.add(connection.read());
            seen.add(String.valueOf(connection.read()));
            mayEnd.await();
            connection.write("closing");
        });
        channel.receive("order");
        ChannelDrain drain = ChannelDrain.start(channel, TimeUnit.DAYS.toNanos(1), Runnable::run);
        assertTrue(channel.isOpen());
        mayEnd.countDown();

        assertEquals(List.of("order", "null"), result());
        assertEquals(
                ChannelDrain.Outcome.FINISHED,
                Await.result(drain.ended(), "the drain").outcome());
        assertEquals("closing", channel.takeWritten().get(0));
    }

    @Test
    void shouldCloseChannelsThatGetNoThread() {
        RejectedExecutionException full = new RejectedExecutionException("full");
        MemoryChannel refused = MemoryChannel.connected(new ConversationHandler(connection -> {}, task -> {
            throw full;
        }));
        awaitClosed(refused);
        assertEquals(List.of(full), refused.takeCaught());
        assertEquals(CloseReason.Kind.REFUSED, refused.getCloseReason().kind());
        refused.receive("dropped");
    }

    @Test
    void shouldRefuseExecutorThatRunsTasksInTheCallingThread() {
        MemoryChannel channel = MemoryChannel.connected(new ConversationHandler(connection -> {}, Runnable::run));
        awaitClosed(channel);
        assertInstanceOf(RejectedExecutionException.class, channel.takeCaught().get(0));
    }

    @Test
    void shouldBeReadAgainWhenTheHandlerIsRemoved() {
        MemoryChannel channel = channel((connection, seen) -> {
            mayBegin.await();
            while (connection.read() != null) {
                seen.add("message");
            }
        });
        for (int i = 0; i < BlockingConnection.MAX_MESSAGES; i++) {
            channel.receive(i);
        }
        channel.getPipeline().remove(ConversationHandler.class);
        assertTrue(channel.isReadable());
        channel.receive("for others");
        mayBegin.countDown();

        assertEquals(BlockingConnection.MAX_MESSAGES, result().size());
        assertEquals(List.of("for others"), channel.takeReceived());
    }

    @Test
    void shouldAlsoBeginOnAConnectedChannel() {
        MemoryChannel channel = MemoryChannel.connected();
        CompletableFuture<BlockingConnection> connections = new CompletableFuture<>();
        channel.getPipeline().addFirst("talk", new ConversationHandler(connections::complete));

        assertSame(channel, Await.result(connections, "the conversation").channel());
        awaitClosed(channel);
    }

    /** As when a handler below adds it in channelConnected: the event then passes it too. */
    @Test
    void shouldBeginOnceWhenItIsAddedWhileTheChannelConnects() {
        AtomicInteger conversations = new AtomicInteger();
        MemoryChannel channel = MemoryChannel.connected(new SimpleChannelUpstreamHandler() {
            @Override
            public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
                ctx.getPipeline().addAfter(ctx.getName(), "talk", new ConversationHandler(connection -> {
                    conversations.incrementAndGet();
                    connection.read();
                }));
                ctx.sendUpstream(e);
            }
        });
        channel.receive("the end");
        awaitClosed(channel);
        assertEquals(1, conversations.get());
    }

    @Test
    void shouldEndTheInputWhenThePeerEndsItsOutput() {
        MemoryChannel channel = channel((connection, seen) -> {
            seen.add(String.valueOf(connection.read()));
            connection.write("closing");
        });
        channel.getPipeline().sendUpstream(new InputShutdownEvent(channel));

        assertEquals(List.of("null"), result());
        awaitClosed(channel);
        assertEquals(List.of("closing"), channel.takeWritten());
    }

    @Test
    void shouldPassOnWhatIsNeitherAMessageNorAFailure() {
        MemoryChannel channel = channel((connection, seen) -> connection.read());
        InputShutdownEvent end = new InputShutdownEvent(channel);
        channel.getPipeline().sendUpstream(end);
        awaitClosed(channel);
        List<ChannelEvent> events = channel.takeUpstream();
        assertTrue(events.contains(end));
        assertTrue(
                events.stream()
                        .anyMatch(e -> e instanceof ChannelStateEvent state
                                && state.getState() == ChannelState.CONNECTED
                                && state.getValue() != null),
                events.toString());
    }

    @Test
    void shouldNotKeepTheJvmAlive() {
        channel((connection, seen) -> seen.add(Thread.currentThread().isDaemon()));
        assertEquals(List.of(true), result());
    }

    @Test
    void shouldRunOnVirtualThreadsIfAvailable() throws Exception {
        MemoryChannel channel = channel((connection, seen) -> seen.add(isVirtual(Thread.currentThread())));

        assertEquals(List.of(Runtime.version().feature() >= 21), result());
        awaitClosed(channel);
    }

    private static boolean isVirtual(Thread thread) throws ReflectiveOperationException {
        return Runtime.version().feature() >= 21
                && (boolean) Thread.class.getMethod("isVirtual").invoke(thread);
    }
}
