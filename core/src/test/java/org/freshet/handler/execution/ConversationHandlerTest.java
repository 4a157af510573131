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
import java.util.concurrent.CompletableFuture;
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
import org.freshet.internal.drain.ChannelDrain;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

class ConversationHandlerTest {
    /** What the conversation did, and how it ended. */
    private final CompletableFuture<List<Object>> result = new CompletableFuture<>();

    private final CountDownLatch mayBegin = new CountDownLatch(1);
    private volatile Thread thread;

    private interface Body {
        void talk(Talk talk, List<Object> seen) throws Exception;
    }

    /** A channel on which that is said; the result is there before the channel is closed. */
    private MemoryChannel channel(Body body) {
        return MemoryChannel.connected(new ConversationHandler(talk -> {
            thread = Thread.currentThread();
            List<Object> seen = new ArrayList<>();
            try {
                body.talk(talk, seen);
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
        Await.until(() -> thread != null && thread.getState() == Thread.State.WAITING, "the conversation to wait");
    }

    @Test
    void shouldReadAndWriteInTurnAndCloseAtTheEnd() {
        MemoryChannel channel = channel((talk, seen) -> {
            talk.write("name?");
            seen.add(talk.read());
            talk.write("age?");
            seen.add(talk.read());
            talk.write("bye");
        });
        channel.receive("Ann");
        channel.receive(33);

        assertEquals(List.of("Ann", 33), result());
        awaitClosed(channel);
        assertEquals(List.of("name?", "age?", "bye"), channel.takeWritten());
        assertEquals(CloseReason.LOCAL, channel.getCloseReason());
    }

    @Test
    void shouldReadNullBehindTheLastMessage() throws Exception {
        MemoryChannel channel = channel((talk, seen) -> {
            mayBegin.await();
            for (Object m = talk.read(); m != null; m = talk.read()) {
                seen.add(m);
            }
            seen.add(String.valueOf(talk.read()));
        });
        channel.receive("a");
        channel.receive("b");
        channel.close();
        mayBegin.countDown();

        assertEquals(List.of("a", "b", "null"), result());
    }

    @Test
    void shouldNotBeReadWhileTheConversationTakesNothing() {
        MemoryChannel channel = channel((talk, seen) -> {
            mayBegin.await();
            for (int i = 0; i < Talk.MAX_MESSAGES / 2; i++) {
                seen.add(talk.read());
            }
            seen.add("readable: " + channelOf(talk).isReadable());
        });
        for (int i = 1; i < Talk.MAX_MESSAGES; i++) {
            channel.receive(i);
        }
        assertTrue(channel.isReadable());
        channel.receive(Talk.MAX_MESSAGES);
        assertFalse(channel.isReadable());
        mayBegin.countDown();

        assertEquals("readable: true", result().get(Talk.MAX_MESSAGES / 2));
    }

    private static MemoryChannel channelOf(Talk talk) {
        return (MemoryChannel) talk.channel();
    }

    @Test
    void shouldRememberWhatHandlersAskForWhileReadingIsSuspended() {
        MemoryChannel channel = channel((talk, seen) -> {
            mayBegin.await();
            while (seen.size() < Talk.MAX_MESSAGES) {
                seen.add(talk.read());
            }
        });
        for (int i = 0; i < Talk.MAX_MESSAGES; i++) {
            channel.receive(i);
        }
        channel.setReadable(false);
        mayBegin.countDown();
        result();
        assertFalse(channel.isReadable());
    }

    @Test
    void shouldWaitToWriteUntilTheChannelIsWritable() {
        MemoryChannel channel = channel((talk, seen) -> {
            mayBegin.await();
            talk.write("late");
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
    void shouldFailToWriteWhenTheChannelIsClosedMeanwhile() {
        MemoryChannel channel = channel((talk, seen) -> {
            mayBegin.await();
            seen.add(assertThrows(ChannelClosedException.class, () -> talk.write("late"))
                    .getReason());
        });
        channel.turnWritable(false);
        mayBegin.countDown();
        awaitBlocked();

        channel.close(CloseReason.PEER_CLOSED);

        assertEquals(List.of(CloseReason.PEER_CLOSED), result());
    }

    @Test
    void shouldGoOnWritingWhenTheChannelIsWritableAgainAfterTheHandlerWasRemoved() {
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

    /** The conversation adds "written", or the reason of the close. */
    private MemoryChannel channelWithWriteThatWaitsAfterTheRemoval() {
        CountDownLatch writes = new CountDownLatch(1);
        MemoryChannel channel = channel((talk, seen) -> {
            mayBegin.await();
            writes.countDown();
            try {
                talk.write("late");
                seen.add("written");
            } catch (ChannelClosedException e) {
                seen.add(e.getReason());
            }
        });
        channel.turnWritable(false);
        channel.getPipeline().remove(ConversationHandler.class);
        mayBegin.countDown();
        Await.latch(writes, "the write");
        Await.until(() -> thread.getState().name().endsWith("WAITING"), "the write to wait");
        return channel;
    }

    @Test
    void shouldThrowFailuresInTheirPlaceBetweenMessages() {
        IOException reset = new IOException("reset");
        MemoryChannel channel = channel((talk, seen) -> {
            seen.add(talk.read());
            seen.add(assertThrows(IOException.class, talk::read));
            seen.add(talk.read());
        });
        channel.receive("before");
        Channels.fireExceptionCaught(channel, reset);
        channel.receive("after");

        assertEquals(List.of("before", reset, "after"), result());
        assertEquals(List.of(), channel.takeCaught());
    }

    @Test
    void shouldSendUpFailuresThatTheConversationHasNotRead() {
        IOException unread = new IOException("nobody reads this");
        MemoryChannel channel = channel((talk, seen) -> mayBegin.await());
        Channels.fireExceptionCaught(channel, unread);
        mayBegin.countDown();

        awaitClosed(channel);
        assertEquals(List.of(unread), channel.takeCaught());
    }

    @Test
    void shouldSendUpWhatTheConversationThrowsAndClose() {
        IllegalStateException fault = new IllegalStateException("a fault of the application");
        MemoryChannel channel = channel((talk, seen) -> {
            throw fault;
        });

        awaitClosed(channel);
        assertEquals(List.of(fault), channel.takeCaught());
    }

    @Test
    void shouldCloseOnlyWhenTheLastMessageHasLeft() {
        MemoryChannel channel = channel((talk, seen) -> {
            mayBegin.await();
            talk.write("a long goodbye");
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
        MemoryChannel channel = channel((talk, seen) -> {
            seen.add(assertThrows(SocketTimeoutException.class, () -> talk.read(Duration.ZERO))
                    .getMessage());
            seen.add(assertThrows(SocketTimeoutException.class, () -> talk.read(Duration.ofMillis(1)))
                    .getMessage());
            mayBegin.countDown();
            seen.add(talk.read(Duration.ofDays(1)));
        });
        Await.latch(mayBegin, "the time-outs");
        channel.receive("at last");

        assertEquals(List.of("no message within 0 ms", "no message within 1 ms", "at last"), result());
    }

    @Test
    void shouldEndTheInputAndHoldTheChannelWhenDrained() {
        CountDownLatch mayEnd = new CountDownLatch(1);
        MemoryChannel channel = channel((talk, seen) -> {
            seen.add(talk.read());
            seen.add(String.valueOf(talk.read()));
            mayEnd.await();
            talk.write("closing");
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
        MemoryChannel refused = MemoryChannel.connected(new ConversationHandler(talk -> {}, task -> {
            throw full;
        }));
        awaitClosed(refused);
        assertEquals(List.of(full), refused.takeCaught());
        refused.receive("dropped");
    }

    @Test
    void shouldRefuseExecutorThatRunsTasksInTheCallingThread() {
        MemoryChannel channel = MemoryChannel.connected(new ConversationHandler(talk -> {}, Runnable::run));
        awaitClosed(channel);
        assertInstanceOf(RejectedExecutionException.class, channel.takeCaught().get(0));
    }

    @Test
    void shouldBeReadAgainWhenTheHandlerIsRemoved() {
        MemoryChannel channel = channel((talk, seen) -> {
            mayBegin.await();
            while (talk.read() != null) {
                seen.add("message");
            }
        });
        for (int i = 0; i < Talk.MAX_MESSAGES; i++) {
            channel.receive(i);
        }
        channel.getPipeline().remove(ConversationHandler.class);
        assertTrue(channel.isReadable());
        channel.receive("for others");
        mayBegin.countDown();

        assertEquals(Talk.MAX_MESSAGES, result().size());
        assertEquals(List.of("for others"), channel.takeReceived());
    }

    @Test
    void shouldBeginOnConnectedChannelToo() {
        MemoryChannel channel = MemoryChannel.connected();
        CompletableFuture<Talk> talks = new CompletableFuture<>();
        channel.getPipeline().addFirst("talk", new ConversationHandler(talks::complete));

        assertSame(channel, Await.result(talks, "the conversation").channel());
        awaitClosed(channel);
    }

    /** As when a handler below adds it in channelConnected: the event then passes it too. */
    @Test
    void shouldBeginOnceWhenItIsAddedWhileTheChannelConnects() {
        AtomicInteger conversations = new AtomicInteger();
        MemoryChannel channel = MemoryChannel.connected(new SimpleChannelUpstreamHandler() {
            @Override
            public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
                ctx.getPipeline().addAfter(ctx.getName(), "talk", new ConversationHandler(talk -> {
                    conversations.incrementAndGet();
                    talk.read();
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
        MemoryChannel channel = channel((talk, seen) -> {
            seen.add(String.valueOf(talk.read()));
            talk.write("closing");
        });
        channel.getPipeline().sendUpstream(new InputShutdownEvent(channel));

        assertEquals(List.of("null"), result());
        awaitClosed(channel);
        assertEquals(List.of("closing"), channel.takeWritten());
    }

    @Test
    void shouldPassOnWhatIsNeitherAMessageNorAFailure() {
        MemoryChannel channel = channel((talk, seen) -> talk.read());
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
        channel((talk, seen) -> seen.add(Thread.currentThread().isDaemon()));
        assertEquals(List.of(true), result());
    }

    @Test
    void shouldRunOnVirtualThreadsWhereThereAreAny() throws Exception {
        MemoryChannel channel = channel((talk, seen) -> seen.add(isVirtual(Thread.currentThread())));

        assertEquals(List.of(Runtime.version().feature() >= 21), result());
        awaitClosed(channel);
    }

    private static boolean isVirtual(Thread thread) throws ReflectiveOperationException {
        return Runtime.version().feature() >= 21
                && (boolean) Thread.class.getMethod("isVirtual").invoke(thread);
    }
}
