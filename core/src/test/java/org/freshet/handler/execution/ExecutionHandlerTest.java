package org.freshet.handler.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.freshet.util.ExternalResourceReleasable;
import org.junit.jupiter.api.Test;

class ExecutionHandlerTest {
    private final TaskQueue executor = new TaskQueue();

    @Test
    void shouldMoveEventsOnTheirWayUpAndLeaveTheOthers() {
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
    void shouldMoveEventsOnTheirWayDownIfAskedTo() {
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
    void shouldNotDelayRequestsToReadOrNot() {
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(executor, true, true));
        executor.runAll();
        Await.success(channel.setReadable(false), "a request not to read");
        assertFalse(channel.isReadable());
    }

    @Test
    void shouldRefuseToHandleNeitherDirection() {
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
        assertInstanceOf(RejectedExecutionException.class, Await.result(caught, "the report"));
    }

    @Test
    void shouldEndItsExecutorAfterWhatWasSubmitted() {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        ExecutionHandler handler = new ExecutionHandler(pool);
        MemoryChannel channel = MemoryChannel.connected(handler);
        for (int i = 0; i < 100; i++) {
            channel.receive(i);
        }
        handler.releaseExternalResources();
        assertTrue(pool.isTerminated());
        assertEquals(100, channel.takeReceived().size());
        handler.releaseExternalResources();
    }

    @Test
    void shouldRefuseToBeReleasedByAnEventOfItsExecutor() {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        ExecutionHandler handler = new ExecutionHandler(pool);
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        MemoryChannel channel = MemoryChannel.connected(handler, new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                thrown.complete(assertThrows(Throwable.class, handler::releaseExternalResources));
            }
        });
        channel.receive("release");
        assertInstanceOf(IllegalStateException.class, Await.result(thrown, "the refusal"));
        handler.releaseExternalResources();
    }

    @Test
    void shouldRefuseThatAnEventReleasesTheExecutorItselfThatRunsIt() {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        for (Executor executor : List.of(
                new KeyedExecutor(pool, 0, 0),
                new ChainedExecutor(new ChannelUpstreamEventRunnableFilter(), pool, pool))) {
            CompletableFuture<Throwable> thrown = new CompletableFuture<>();
            ExternalResourceReleasable releasable = (ExternalResourceReleasable) executor;
            MemoryChannel channel =
                    MemoryChannel.connected(new ExecutionHandler(executor), new SimpleChannelUpstreamHandler() {
                        @Override
                        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                            thrown.complete(assertThrows(Throwable.class, releasable::releaseExternalResources));
                        }
                    });
            channel.receive("release");
            assertInstanceOf(IllegalStateException.class, Await.result(thrown, "the refusal of " + executor));
            assertFalse(pool.isShutdown());
        }
        new ExecutionHandler(pool).releaseExternalResources();
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
        assertTrue(one.isTerminated());
        assertTrue(other.isTerminated());
    }
}
