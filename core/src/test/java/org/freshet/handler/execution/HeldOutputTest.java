package org.freshet.handler.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.DownstreamChannelStateEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.stream.ChunkedStream;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

/** Output that waits in an executor, or for its turn, is charged to its channel. */
class HeldOutputTest {
    private static final long CHARGE = WriteAccount.costOf(1000);

    private final TaskQueue executor = new TaskQueue();

    private static ChannelBuffer bytes() {
        return ChannelBuffers.wrappedBuffer(new byte[1000]);
    }

    @Test
    void shouldChargeWritesThatWaitForTheExecutor() {
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(executor, true, false));
        ChannelBuffer message = bytes();
        channel.write(message);
        channel.write(message);
        assertEquals(2 * CHARGE, WriteAccount.waitingBytes(channel));
        executor.runAll();
        assertEquals(List.of(message, message), channel.takeWritten());
        assertEquals(0, WriteAccount.waitingBytes(channel));
    }

    @Test
    void shouldShowFiltersTheEventThatWasWritten() {
        List<Object> seen = new ArrayList<>();
        Executor chain = new ChainedExecutor(
                event -> {
                    if (event.getEvent() instanceof MessageEvent write) {
                        seen.add(write.getClass().getSimpleName());
                    }
                    return event instanceof ChannelDownstreamEventRunnable;
                },
                executor,
                Runnable::run);
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(chain, true, false));
        channel.write(bytes());
        assertEquals(List.of("DownstreamMessageEvent"), seen);
        assertEquals(CHARGE, WriteAccount.waitingBytes(channel));
        executor.runAll();
        assertEquals(0, WriteAccount.waitingBytes(channel));
    }

    @Test
    void shouldReleaseAndFailAWriteThatTheExecutorRefuses() {
        Executor refusing = task -> {
            throw new RejectedExecutionException("refused on purpose");
        };
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(refusing, true, false));
        assertInstanceOf(
                RejectedExecutionException.class, channel.write(bytes()).getCause());
        assertEquals(0, WriteAccount.waitingBytes(channel));
    }

    @Test
    void shouldReleaseAndFailWritesThatTheExecutorDropsWhenTheChannelCloses() {
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(executor, true, false));
        ChannelFuture write = channel.write(bytes());
        channel.getPipeline().getContext(ExecutionHandler.class).sendDownstream(closing(channel));
        assertInstanceOf(ClosedChannelException.class, write.getCause());
        assertEquals(0, WriteAccount.waitingBytes(channel));
        executor.runAll(); // late
        assertEquals(List.of(), channel.takeWritten());
        assertEquals(0, WriteAccount.waitingBytes(channel));
    }

    /** Counts how often it was closed. */
    private static final class Input extends ChunkedStream {
        private final AtomicInteger closes = new AtomicInteger();

        Input() {
            super(InputStream.nullInputStream());
        }

        @Override
        public void close() {
            closes.incrementAndGet();
        }
    }

    @Test
    void shouldCloseAnInputThatTheExecutorDropsWhenTheChannelCloses() {
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(executor, true, false));
        Input input = new Input();
        channel.write(input);
        channel.getPipeline().getContext(ExecutionHandler.class).sendDownstream(closing(channel));
        assertEquals(1, input.closes.get());
    }

    @Test
    void shouldCloseAnInputThatWaitsForItsTurnWhenTheChannelCloses() {
        PipelinedExecutionHandler pipelined = new PipelinedExecutionHandler(executor, new FakeTimer());
        Input input = new Input();
        MemoryChannel channel = MemoryChannel.connected(pipelined, new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                if (e.getMessage().equals("two")) {
                    e.getChannel().write(input);
                }
            }
        });
        channel.receive("one");
        channel.receive("two");
        executor.run(1);
        channel.close();
        assertEquals(1, input.closes.get());
    }

    private static ChannelEvent closing(Channel channel) {
        return new DownstreamChannelStateEvent(channel, channel.getCloseFuture(), ChannelState.OPEN, Boolean.FALSE);
    }

    @Test
    void shouldReleaseWritesThatAPoolGivesUp() {
        OrderedDownstreamThreadPoolExecutor pool = new OrderedDownstreamThreadPoolExecutor(1);
        keepBusyUntilItStops(pool);
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(pool, true, false));
        ChannelFuture write = channel.write(bytes());
        assertEquals(CHARGE, WriteAccount.waitingBytes(channel));
        List<Runnable> givenUp = pool.shutdownNow(true);
        assertEquals(0, WriteAccount.waitingBytes(channel));
        assertInstanceOf(RejectedExecutionException.class, write.getCause());
        givenUp.forEach(Runnable::run);
        assertEquals(List.of(), channel.takeWritten());
    }

    private static void keepBusyUntilItStops(Executor pool) {
        pool.execute(() -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        });
    }

    @Test
    void shouldReleaseAWriteOnceIfItsChannelClosesBeforeThePoolGivesItUp() {
        OrderedDownstreamThreadPoolExecutor pool = new OrderedDownstreamThreadPoolExecutor(1);
        keepBusyUntilItStops(pool);
        ExecutionHandler handler = new ExecutionHandler(pool, true, false);
        MemoryChannel channel = MemoryChannel.connected(handler);
        Input input = new Input();
        channel.write(input);
        channel.context(handler).sendDownstream(closing(channel));
        List<Runnable> givenUp = pool.shutdownNow(false);
        assertTrue(givenUp.stream().anyMatch(task -> ((ChannelEventRunnable) task).getEvent() instanceof MessageEvent));
        assertEquals(1, input.closes.get());
        assertEquals(0, handler.heldBytes(channel));
    }

    @Test
    void shouldChargeAnswersThatWaitForTheirTurn() {
        PipelinedExecutionHandler pipelined = new PipelinedExecutionHandler(executor, new FakeTimer());
        MemoryChannel channel = MemoryChannel.connected(pipelined, new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                e.getChannel().write(bytes());
            }
        });
        channel.receive("one");
        channel.receive("two");
        channel.receive("three");
        executor.run(1);
        executor.run(1);
        assertEquals(2 * CHARGE, WriteAccount.waitingBytes(channel));
        assertEquals(2 * CHARGE, pipelined.heldBytes(channel));
        executor.run(0);
        assertEquals(3, channel.takeWritten().size());
        assertEquals(0, WriteAccount.waitingBytes(channel));
    }

    @Test
    void shouldReleaseAnswersWhenTheChannelCloses() {
        PipelinedExecutionHandler pipelined = new PipelinedExecutionHandler(executor, new FakeTimer());
        List<ChannelFuture> answers = new ArrayList<>();
        MemoryChannel channel = MemoryChannel.connected(pipelined, new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                answers.add(e.getChannel().write(bytes()));
            }
        });
        channel.receive("one");
        channel.receive("two");
        executor.run(1);
        assertEquals(CHARGE, WriteAccount.waitingBytes(channel));
        channel.close();
        assertInstanceOf(ClosedChannelException.class, answers.get(0).getCause());
        assertEquals(0, WriteAccount.waitingBytes(channel));
    }

    @Test
    void shouldRunLateEventsOnNoMoreThreadsThanThePoolHas() {
        AtomicInteger made = new AtomicInteger();
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch ran = new CountDownLatch(50);
        MemoryAwareThreadPoolExecutor pool = new MemoryAwareThreadPoolExecutor(2, 0, 0, 10, TimeUnit.SECONDS, task -> {
            made.incrementAndGet();
            return Executors.defaultThreadFactory().newThread(task);
        });
        pool.shutdown();
        for (int i = 0; i < 50; i++) {
            pool.execute(() -> {
                Await.latch(gate, "all events to arrive");
                ran.countDown();
            });
        }
        gate.countDown();
        Await.latch(ran, "all events to run");
        assertTrue(made.get() <= 2, made + " threads");
    }

    @Test
    void shouldHoldNoLockWhileAStateIsCreated() {
        MemoryChannel one = MemoryChannel.connected(new ExecutionHandler(executor));
        MemoryChannel other = MemoryChannel.connected(new ExecutionHandler(executor));
        CountDownLatch attached = new CountDownLatch(1);
        ExecutionHandler.attached(one.getPipeline().getContext(ExecutionHandler.class), String.class, ctx -> {
            Thread second = new Thread(() -> {
                ExecutionHandler.attached(
                        other.getPipeline().getContext(ExecutionHandler.class), String.class, place -> "other");
                attached.countDown();
            });
            second.setDaemon(true);
            second.start();
            Await.latch(attached, "the state of another channel");
            return "one";
        });
    }
}
