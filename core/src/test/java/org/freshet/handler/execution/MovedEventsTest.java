package org.freshet.handler.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.DefaultExceptionEvent;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.UpstreamMessageEvent;
import org.freshet.internal.drain.ChannelDrain;
import org.freshet.telemetry.Explain;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

/** What becomes of events that an executor runs, refuses or loses. */
class MovedEventsTest {
    private final TaskQueue executor = new TaskQueue();

    @Test
    void shouldMoveRequestsToCloseIfAskedTo() {
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(executor, true, false));
        channel.close();
        assertTrue(channel.isOpen());
        executor.runAll();
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldKeepADrainedChannelOpenUntilEarlierEventsHaveRun() {
        CountDownLatch mayRun = new CountDownLatch(1);
        ExecutionHandler handler = new ExecutionHandler(Executors.newSingleThreadExecutor());
        MemoryChannel channel = MemoryChannel.connected(handler, new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                Await.latch(mayRun, "the drain's start");
                e.getChannel().write("answer");
            }
        });
        channel.receive("request");
        ChannelDrain drain = ChannelDrain.start(channel, TimeUnit.MILLISECONDS.toNanos(1), Runnable::run);
        mayRun.countDown();
        assertEquals(
                ChannelDrain.Outcome.FINISHED,
                Await.result(drain.ended(), "the drain").outcome());
        assertEquals(List.of("answer"), channel.takeWritten());
        handler.releaseExternalResources();
    }

    @Test
    void shouldDrainAChannelWhoseExecutorRefusesEvents() {
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(task -> {
            throw new RejectedExecutionException("full");
        }));
        ChannelDrain drain = ChannelDrain.start(channel, TimeUnit.MILLISECONDS.toNanos(1), Runnable::run);
        assertTrue(Await.result(drain.ended(), "the drain").holds().isEmpty());
        assertTrue(channel.takeUpstream().stream().anyMatch(DrainEvent.class::isInstance), "others may hold it");
    }

    @Test
    void shouldHoldADrainedChannelUntilTheDrainHasPassed() {
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(executor));
        executor.runAll();
        DrainEvent drain = new DrainEvent(channel, () -> {});
        channel.getPipeline().sendUpstream(drain);
        assertTrue(drain.isHeld());
        channel.takeUpstream();
        executor.runAll();
        assertEquals(List.of(drain), channel.takeUpstream());
        assertFalse(drain.isHeld());
    }

    @Test
    void shouldExplainHowManyEventsWaitForTheExecutor() {
        KeyedExecutor ordered = new KeyedExecutor(executor, 0, 0);
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(ordered));
        int waiting = ordered.getWaiting();
        assertTrue(waiting > 0);
        assertTrue(explain(channel).contains("executor: " + ordered + "\n"), explain(channel));
        assertTrue(explain(channel).contains("events of all channels waiting for it: " + waiting + "\n"));
        assertFalse(
                explain(MemoryChannel.connected(new ExecutionHandler(executor))).contains("waiting for it"));
    }

    private static String explain(MemoryChannel channel) {
        return Await.result(Explain.channel(channel), "the explanation");
    }

    @Test
    void shouldTellDirectionsApart() {
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(executor));
        ChannelEventRunnable up = new ChannelUpstreamEventRunnable(
                channel.getPipeline().getContext(ExecutionHandler.class),
                new UpstreamMessageEvent(channel, "a", null),
                executor);
        assertTrue(new ChannelUpstreamEventRunnableFilter().filter(up));
        assertFalse(new ChannelDownstreamEventRunnableFilter().filter(up));
        assertTrue(up.toString().startsWith("ChannelUpstreamEventRunnable("), up.toString());
    }

    /** Says which executor the thread works for, and runs another event. */
    private static final class Nested extends ChannelEventRunnable {
        private final List<Executor> seen;
        private final Runnable inner;

        Nested(MemoryChannel channel, Executor executor, List<Executor> seen, Runnable inner) {
            super(
                    channel.getPipeline().getContext(ExecutionHandler.class),
                    new UpstreamMessageEvent(channel, "a", null),
                    executor);
            this.seen = seen;
            this.inner = inner;
        }

        @Override
        protected void doRun() {
            seen.add(PARENT.get());
            inner.run();
            seen.add(PARENT.get());
        }

        static Executor current() {
            return PARENT.get();
        }
    }

    @Test
    void shouldKnowTheExecutorOfTheInnermostEventThatRuns() {
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(executor));
        Executor inner = Runnable::run;
        List<Executor> seen = new ArrayList<>();
        new Nested(channel, executor, seen, new Nested(channel, inner, seen, () -> {})).run();
        assertEquals(List.of(executor, inner, inner, executor), seen);
        assertNull(Nested.current());
    }

    @Test
    void shouldReportLostEventsToTheirChannelsOnce() {
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(executor));
        MemoryChannel failing = MemoryChannel.connected(new ExecutionHandler(executor));
        MessageEvent write = new DownstreamMessageEvent(channel, Channels.future(channel), "a", null);
        IllegalStateException cause = new IllegalStateException("the executor was shut down");
        LostEvents.report(
                List.of(
                        () -> {},
                        moved(channel, write),
                        moved(channel, write),
                        new ChannelUpstreamEventRunnable(
                                failing.getPipeline().getContext(ExecutionHandler.class),
                                new DefaultExceptionEvent(failing, new IllegalStateException("an earlier failure")),
                                executor)),
                cause);
        ChannelFuture future = write.getFuture();
        assertSame(cause, future.getCause());
        executor.runAll();
        assertEquals(1, channel.takeCaught().size());
        assertEquals(List.of(), failing.takeCaught());
    }

    /** An event of a user's class. */
    private static final class WithoutFuture implements ChannelEvent {
        private final MemoryChannel channel;

        WithoutFuture(MemoryChannel channel) {
            this.channel = channel;
        }

        @Override
        public MemoryChannel getChannel() {
            return channel;
        }

        @Override
        public ChannelFuture getFuture() {
            return null;
        }
    }

    @Test
    void shouldReportALostEventThatHasNoFuture() {
        MemoryChannel channel = MemoryChannel.connected();
        IllegalStateException cause = new IllegalStateException("the executor was shut down");
        try (CapturedLog log = CapturedLog.start()) {
            LostEvents.report(
                    List.of(new ChannelUpstreamEventRunnable(null, new WithoutFuture(channel), executor)), cause);
            assertEquals(List.of(), log.messages());
        }
        assertEquals(List.of(cause), channel.takeCaught());
    }

    @Test
    void shouldKeepTheStateThatWasAttachedFirst() {
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(executor));
        ChannelHandlerContext ctx = channel.getPipeline().getContext(ExecutionHandler.class);
        ctx.setAttachment(null);
        String attached = ExecutionHandler.attached(ctx, String.class, place -> {
            assertEquals("first", ExecutionHandler.attached(place, String.class, again -> "first"));
            return "second";
        });
        assertEquals("first", attached);
        assertEquals("first", ctx.getAttachment());
        assertEquals("first", ExecutionHandler.attached(ctx, String.class, place -> "third"));
    }

    private ChannelEventRunnable moved(MemoryChannel channel, MessageEvent write) {
        return new ChannelDownstreamEventRunnable(
                channel.getPipeline().getContext(ExecutionHandler.class), write, executor);
    }
}
