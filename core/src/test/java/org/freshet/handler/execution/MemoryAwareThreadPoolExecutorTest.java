package org.freshet.handler.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.freshet.util.ObjectSizeEstimator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemoryAwareThreadPoolExecutorTest {
    /** A received Integer counts as that many bytes, everything else as nothing. */
    private static final ObjectSizeEstimator BY_VALUE = task -> {
        Object event = ((ChannelEventRunnable) task).unwrap();
        return event instanceof MessageEvent message ? (Integer) message.getMessage() : 0;
    };

    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<MemoryAwareThreadPoolExecutor> pools = new ArrayList<>();

    /** One thread, which is busy until the gate opens. */
    private MemoryAwareThreadPoolExecutor busyPool(long maxChannel, long maxTotal) {
        MemoryAwareThreadPoolExecutor pool = new MemoryAwareThreadPoolExecutor(
                1, maxChannel, maxTotal, 10, TimeUnit.SECONDS, BY_VALUE, Executors.defaultThreadFactory());
        keepBusy(pool);
        return pool;
    }

    private void keepBusy(MemoryAwareThreadPoolExecutor pool) {
        pools.add(pool);
        CountDownLatch busy = new CountDownLatch(1);
        pool.execute(() -> {
            busy.countDown();
            awaitGateOrInterrupt();
        });
        Await.latch(busy, "the pool's thread");
    }

    private void awaitGateOrInterrupt() {
        try {
            assertTrue(gate.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS), "timed out waiting for the gate");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // by shutdownNow
        }
    }

    @AfterEach
    void endPools() throws InterruptedException {
        gate.countDown();
        for (MemoryAwareThreadPoolExecutor pool : pools) {
            pool.shutdown();
            assertTrue(pool.awaitTermination(30, TimeUnit.SECONDS), "not terminated: " + pool);
        }
    }

    @Test
    void shouldSuspendAChannelAtItsLimitAndResumeAtHalfOfIt() {
        MemoryAwareThreadPoolExecutor pool = busyPool(100, 0);
        ExecutionHandler handler = new ExecutionHandler(pool);
        MemoryChannel channel = MemoryChannel.connected(handler);
        MemoryChannel other = MemoryChannel.connected(handler);
        channel.receive(99);
        assertTrue(channel.isReadable());
        channel.receive(1);
        assertFalse(channel.isReadable());
        assertTrue(other.isReadable());
        assertEquals(100, pool.getTotalMemorySize());
        gate.countDown();
        Await.until(channel::isReadable, "reading");
        Await.until(() -> pool.getTotalMemorySize() == 0, "all events to run");
        assertEquals(List.of(99, 1), channel.takeReceived());
    }

    @Test
    void shouldSuspendTheChannelThatExceedsTheTotal() {
        MemoryAwareThreadPoolExecutor pool = busyPool(0, 100);
        ExecutionHandler handler = new ExecutionHandler(pool);
        MemoryChannel early = MemoryChannel.connected(handler);
        MemoryChannel late = MemoryChannel.connected(handler);
        early.receive(60);
        late.receive(60);
        assertTrue(early.isReadable());
        assertFalse(late.isReadable());
        early.receive(1);
        assertFalse(early.isReadable());
        gate.countDown();
        Await.until(() -> early.isReadable() && late.isReadable(), "reading");
        Await.until(() -> pool.getTotalMemorySize() == 0, "all events to run");
    }

    @Test
    void shouldAcceptALimitOfOneByte() {
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(busyPool(1, 1)));
        channel.receive(7);
        assertFalse(channel.isReadable());
        gate.countDown();
        Await.until(channel::isReadable, "reading");
    }

    @Test
    void shouldRespectRequestsOfTheUserWhileSuspended() {
        MemoryAwareThreadPoolExecutor pool = busyPool(1, 0);
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(pool));
        channel.receive(7);
        channel.setReadable(true);
        assertFalse(channel.isReadable());
        channel.setReadable(false);
        gate.countDown();
        Await.until(() -> pool.getTotalMemorySize() == 0, "all events to run");
        assertFalse(channel.isReadable());
        channel.setReadable(true);
        assertTrue(channel.isReadable());
    }

    @Test
    void shouldCountOnlyUpstreamMessagesAndStates() {
        MemoryAwareThreadPoolExecutor pool = busyPool(100, 0);
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(pool, true, true));
        channel.write(1000);
        Channels.fireWriteComplete(channel, 1000);
        assertEquals(0, pool.getTotalMemorySize());
        Runnable task = () -> {};
        assertFalse(pool.shouldCount(task));
        pool.increaseCounter(task);
        pool.decreaseCounter(task);
        assertEquals(0, pool.getTotalMemorySize());
    }

    @Test
    void shouldCountStatesButNoChangesOfInterest() {
        MemoryAwareThreadPoolExecutor pool = busyPool(100, 0);
        pool.setObjectSizeEstimator(task -> 1);
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(pool));
        assertEquals(3, pool.getTotalMemorySize(), "open, bound, connected");
        Channels.fireWriteComplete(channel, 1000);
        Channels.fireChannelInterestChanged(channel);
        assertEquals(3, pool.getTotalMemorySize());
        channel.receive(7);
        assertEquals(4, pool.getTotalMemorySize());
    }

    @Test
    void shouldAskTheEstimatorThatItWasGivenLast() {
        MemoryAwareThreadPoolExecutor pool = busyPool(100, 0);
        assertSame(BY_VALUE, pool.getObjectSizeEstimator());
        ObjectSizeEstimator negative = task -> -7;
        pool.setObjectSizeEstimator(negative);
        assertSame(negative, pool.getObjectSizeEstimator());
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(pool));
        channel.receive(1000);
        assertEquals(0, pool.getTotalMemorySize(), "less than nothing counts as nothing");
        assertTrue(channel.isReadable());
    }

    @Test
    void shouldCountNothingWithoutLimits() {
        MemoryAwareThreadPoolExecutor pool = busyPool(0, 0);
        MemoryChannel.connected(new ExecutionHandler(pool)).receive(1000);
        assertEquals(0, pool.getTotalMemorySize());
    }

    /** Nothing tells the pool that they will not run. */
    @Test
    void shouldReadAgainAtItsEndAlthoughEventsWereTakenOutOfItsQueue() throws InterruptedException {
        MemoryAwareThreadPoolExecutor pool = busyPool(0, 10);
        MemoryChannel one = MemoryChannel.connected(new ExecutionHandler(pool));
        MemoryChannel other = MemoryChannel.connected(new ExecutionHandler(pool));
        one.receive(10);
        other.receive(10);
        pool.getQueue().clear();
        assertFalse(one.isReadable());
        assertFalse(other.isReadable());
        gate.countDown();
        pool.shutdown();
        assertTrue(pool.awaitTermination(30, TimeUnit.SECONDS));
        assertTrue(one.isReadable());
        assertTrue(other.isReadable());
    }

    @Test
    void shouldForgetRemovedEvents() {
        MemoryAwareThreadPoolExecutor pool = busyPool(10, 0);
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(pool));
        channel.receive(10);
        assertFalse(channel.isReadable());
        for (Runnable waiting : List.copyOf(pool.getQueue())) {
            assertTrue(pool.remove(waiting));
            assertFalse(pool.remove(waiting));
        }
        assertTrue(channel.isReadable());
        assertEquals(0, pool.getTotalMemorySize());
    }

    @Test
    void shouldLetLimitsBeChanged() {
        MemoryAwareThreadPoolExecutor pool = busyPool(10, 20);
        assertEquals(10, pool.getMaxChannelMemorySize());
        assertEquals(20, pool.getMaxTotalMemorySize());
        pool.setMaxChannelMemorySize(5);
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(pool));
        channel.receive(5);
        assertFalse(channel.isReadable());
        pool.setMaxChannelMemorySize(0);
        channel.receive(1);
        assertTrue(channel.isReadable());
        assertThrows(IllegalArgumentException.class, () -> pool.setMaxChannelMemorySize(-1));
        assertThrows(IllegalArgumentException.class, () -> new MemoryAwareThreadPoolExecutor(1, 0, -1));
        assertThrows(NullPointerException.class, () -> pool.setObjectSizeEstimator(null));
    }

    @Test
    void shouldStillRunEventsThatArriveAfterShutdown() {
        MemoryAwareThreadPoolExecutor pool = busyPool(100, 0);
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(pool));
        channel.receive(1);
        pool.shutdown();
        channel.receive(2);
        gate.countDown();
        Await.until(() -> pool.getTotalMemorySize() == 0, "all events to run");
        List<Object> received = new ArrayList<>();
        Await.until(() -> received.addAll(channel.takeReceived()) && received.size() == 2, "both messages");
    }

    @Test
    void shouldAbandonEventsAndReportThemOnShutdownNow() {
        MemoryAwareThreadPoolExecutor pool = busyPool(1, 1);
        pool.setNotifyChannelFuturesOnShutdown(true);
        assertTrue(pool.getNotifyChannelFuturesOnShutdown());
        MemoryChannel written = MemoryChannel.connected();
        ChannelFuture future = Channels.future(written);
        CompletableFuture<Throwable> caught = new CompletableFuture<>();
        MemoryChannel read = MemoryChannel.connected(new Catcher(caught), new ExecutionHandler(pool));
        read.receive(5);
        pool.execute(writing(written, future, pool));
        assertFalse(read.isReadable());
        List<Object> givenUp = new ArrayList<>();
        for (Runnable task : pool.shutdownNow()) {
            if (((ChannelEventRunnable) task).getEvent() instanceof MessageEvent message) {
                givenUp.add(message.getMessage());
            }
        }
        assertEquals(List.of(5, "x"), givenUp);
        assertInstanceOf(RejectedExecutionException.class, Await.failure(future, "the write"));
        assertInstanceOf(RejectedExecutionException.class, Await.result(caught, "the report"));
        assertEquals(1, written.takeCaught().size());
        assertEquals(0, pool.getTotalMemorySize());
        assertTrue(read.isReadable());
        assertThrows(RejectedExecutionException.class, () -> pool.execute(() -> {}));
    }

    private static ChannelEventRunnable writing(MemoryChannel channel, ChannelFuture future, Executor executor) {
        return new ChannelDownstreamEventRunnable(
                channel.getPipeline().getContext("keeper of a MemoryChannel"),
                new DownstreamMessageEvent(channel, future, "x", null),
                executor);
    }

    /** Located below an execution handler whose executor refuses. */
    private static final class Catcher extends SimpleChannelUpstreamHandler {
        private final CompletableFuture<Throwable> caught;

        Catcher(CompletableFuture<Throwable> caught) {
            this.caught = caught;
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            caught.complete(e.getCause());
        }
    }

    @Test
    void shouldNotReportOnShutdownNowUnlessConfigured() {
        MemoryAwareThreadPoolExecutor pool = busyPool(0, 0);
        assertFalse(pool.getNotifyChannelFuturesOnShutdown());
        MemoryChannel channel = MemoryChannel.connected();
        ChannelFuture written = Channels.future(channel);
        pool.execute(writing(channel, written, pool));
        assertEquals(1, pool.shutdownNow().size());
        assertFalse(written.isDone());
    }

    /** It would wait for a thread that never comes. */
    @Test
    void shouldRefuseAnEventAfterTheShutdownIfTheFactoryMakesNoThread() {
        MemoryAwareThreadPoolExecutor pool =
                new MemoryAwareThreadPoolExecutor(1, 0, 0, 10, TimeUnit.SECONDS, task -> null);
        pools.add(pool);
        pool.shutdown();
        assertThrows(RejectedExecutionException.class, () -> pool.execute(() -> {}));
        assertEquals(List.of(), pool.shutdownNow());
    }

    @Test
    void shouldEndThreadsThatHaveNothingToDo() {
        List<Thread> threads = new CopyOnWriteArrayList<>();
        MemoryAwareThreadPoolExecutor pool =
                new MemoryAwareThreadPoolExecutor(1, 0, 0, 1, TimeUnit.MILLISECONDS, task -> {
                    threads.add(new Thread(task));
                    return threads.get(threads.size() - 1);
                });
        pool.execute(() -> {});
        Await.end(threads.get(0));
        pool.shutdown();
        pool.execute(() -> {});
        assertEquals(2, threads.size(), "a thread for late tasks");
        Await.end(threads.get(1));
    }

    @Test
    void shouldLeaveAnExecutorAloneThatCannotBeShutDown() {
        List<Runnable> tasks = new ArrayList<>();
        ExecutionHandler handler = new ExecutionHandler(tasks::add);
        handler.releaseExternalResources();
        MemoryChannel channel = MemoryChannel.connected(handler);
        channel.receive("still accepted");
        assertFalse(tasks.isEmpty());
    }

    @Test
    void shouldGiveUpEventsThatArrivedAfterAShutdown() {
        MemoryAwareThreadPoolExecutor pool = new MemoryAwareThreadPoolExecutor(1, 0, 0);
        pool.shutdown();
        keepBusy(pool);
        Runnable waiting = () -> {};
        pool.execute(waiting);
        assertEquals(List.of(waiting), pool.shutdownNow());
        assertThrows(RejectedExecutionException.class, () -> pool.execute(waiting));
    }

    @Test
    void shouldAcceptOnlyDownstreamEventsInADownstreamExecutor() {
        for (MemoryAwareThreadPoolExecutor pool :
                List.of(new OrderedDownstreamThreadPoolExecutor(1), new FairOrderedDownstreamThreadPoolExecutor(1))) {
            pools.add(pool);
            MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(pool, true, false));
            Await.success(channel.write("x"), "the write");
            CompletableFuture<Throwable> caught = new CompletableFuture<>();
            MemoryChannel.connected(new Catcher(caught), new ExecutionHandler(pool))
                    .receive("y");
            assertInstanceOf(RejectedExecutionException.class, Await.result(caught, "the refusal"));
            assertNull(pool.getObjectSizeEstimator());
            assertEquals(0, pool.getMaxChannelMemorySize());
            assertEquals(0, pool.getMaxTotalMemorySize());
            assertThrows(UnsupportedOperationException.class, () -> pool.setMaxChannelMemorySize(1));
            assertThrows(UnsupportedOperationException.class, () -> pool.setObjectSizeEstimator(BY_VALUE));
        }
    }
}
