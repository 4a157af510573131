package org.freshet.handler.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

class ExecutionHandlerTest {
    private final TaskQueue executor = new TaskQueue();

    @Test
    void shouldOffloadUpstreamEventsOnlyByDefault() {
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(executor));
        executor.runAll();
        channel.takeUpstream();
        channel.receive("a");
        channel.write("b");
        assertEquals(List.of(), channel.takeReceived());
        assertEquals(List.of("b"), channel.takeWritten());
        executor.runAll();
        assertEquals(List.of("a"), channel.takeReceived());
    }

    @Test
    void shouldOffloadDownstreamEventsIfConfigured() {
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(executor, true, false));
        executor.runAll();
        channel.receive("a");
        channel.write("b");
        assertEquals(List.of("a"), channel.takeReceived());
        assertEquals(List.of(), channel.takeWritten());
        executor.runAll();
        assertEquals(List.of("b"), channel.takeWritten());
    }

    @Test
    void shouldNotDelayRequestsThatSwitchReading() {
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(executor, true, true));
        executor.runAll();
        assertTrue(channel.setReadable(false).isSuccess());
        assertFalse(channel.isReadable());
    }

    @Test
    void shouldRequireAtLeastOneDirection() {
        assertThrows(IllegalArgumentException.class, () -> new ExecutionHandler(executor, false, false));
        assertThrows(NullPointerException.class, () -> new ExecutionHandler(null));
    }

    @Test
    void shouldShareOneExecutorAmongPipelines() {
        ExecutionHandler handler = new ExecutionHandler(executor);
        assertSame(executor, handler.getExecutor());
        MemoryChannel one = MemoryChannel.connected(handler);
        MemoryChannel other = MemoryChannel.connected(handler);
        one.receive(1);
        other.receive(2);
        executor.runAll();
        assertEquals(List.of(1), one.takeReceived());
        assertEquals(List.of(2), other.takeReceived());
    }

    @Test
    void shouldReportAnEventThatTheExecutorRefuses() {
        CompletableFuture<Throwable> caught = new CompletableFuture<>();
        SimpleChannelUpstreamHandler below = new SimpleChannelUpstreamHandler() {
            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                caught.complete(e.getCause());
            }
        };
        MemoryChannel.open(below, new ExecutionHandler(task -> {
            throw new RejectedExecutionException("full");
        }));
        assertInstanceOf(RejectedExecutionException.class, caught.getNow(null));
    }

    /** The exception event goes through the same executor. */
    @Test
    void shouldNotifyHandlersAboveOfRefusedEvents() {
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(task -> {
            throw new RejectedExecutionException("full");
        }));
        channel.takeCaught();
        channel.receive("a");
        List<Throwable> caught = channel.takeCaught();
        assertEquals(1, caught.size());
        assertInstanceOf(RejectedExecutionException.class, caught.get(0));
    }

    @Test
    void shouldCloseFromAHandlerThatIsNotifiedOfARefusal() {
        Executor full = task -> {
            throw new RejectedExecutionException("full");
        };
        MemoryChannel channel =
                MemoryChannel.connected(new ExecutionHandler(full, true, true), new SimpleChannelUpstreamHandler() {
                    @Override
                    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                        e.getChannel().close();
                    }
                });
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldShutItsExecutorDownWithoutWaitingOrInterrupting() {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        ExecutionHandler handler = new ExecutionHandler(pool);
        CountDownLatch released = new CountDownLatch(1);
        MemoryChannel channel = MemoryChannel.connected(handler, new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                Await.latch(released, "the release");
                ctx.sendUpstream(e);
            }
        });
        for (int i = 0; i < 100; i++) {
            channel.receive(i);
        }
        handler.releaseExternalResources();
        assertTrue(pool.isShutdown());
        assertFalse(pool.isTerminated());
        released.countDown();
        Await.until(pool::isTerminated, "all events to run");
        assertEquals(100, channel.takeReceived().size());
        handler.releaseExternalResources();
    }

    @Test
    void shouldBeReleasableFromAnEventOnItsExecutor() {
        List<Function<ExecutorService, Executor>> kinds = List.of(
                pool -> pool,
                pool -> new KeyedExecutor(pool, 0, 0),
                pool -> new ChainedExecutor(new ChannelUpstreamEventRunnableFilter(), pool, pool));
        for (Function<ExecutorService, Executor> kind : kinds) {
            ExecutorService pool = Executors.newFixedThreadPool(2);
            ExecutionHandler handler = new ExecutionHandler(kind.apply(pool));
            MemoryChannel channel = MemoryChannel.connected(handler, new SimpleChannelUpstreamHandler() {
                @Override
                public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                    handler.releaseExternalResources();
                    ctx.sendUpstream(e);
                }
            });
            channel.receive("release");
            Await.until(pool::isTerminated, "the end of the pool");
            assertEquals(List.of("release"), channel.takeReceived());
        }
    }

    @Test
    void shouldChooseExecutorsOfAChain() {
        TaskQueue up = new TaskQueue();
        TaskQueue down = new TaskQueue();
        TaskQueue rest = new TaskQueue();
        ChainedExecutor chain = new ChainedExecutor(
                new ChannelUpstreamEventRunnableFilter(),
                up,
                new ChainedExecutor(new ChannelDownstreamEventRunnableFilter(), down, rest));
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(chain, true, true));
        down.runAll();
        up.runAll();
        channel.receive("a");
        channel.write("b");
        chain.execute(() -> {});
        assertEquals(1, up.size());
        assertEquals(1, down.size());
        assertEquals(1, rest.size());
    }

    @Test
    void shouldReleaseTheExecutorsOfAChain() {
        ExecutorService one = Executors.newSingleThreadExecutor();
        ExecutorService other = Executors.newSingleThreadExecutor();
        new ExecutionHandler(new ChainedExecutor(new ChannelUpstreamEventRunnableFilter(), one, other))
                .releaseExternalResources();
        assertTrue(one.isShutdown());
        assertTrue(other.isShutdown());
    }
}
