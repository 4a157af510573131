package org.freshet.handler.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.UpstreamMessageEvent;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.MemoryChannel;
import org.freshet.util.ObjectSizeEstimator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The keys of executors that keep an order, and tasks that wait for others of their key. */
class OrderedPoolTest {
    private static final ObjectSizeEstimator ONE_BYTE = task -> 1;

    private final CountDownLatch gate = new CountDownLatch(1);
    private final CountDownLatch busy = new CountDownLatch(1);
    private final List<MemoryAwareThreadPoolExecutor> pools = new ArrayList<>();

    /** Below it events go to the executor by hand; blocks on the message "block". */
    private final SimpleChannelUpstreamHandler place = new SimpleChannelUpstreamHandler();

    private final MemoryChannel channel = MemoryChannel.connected(place, new SimpleChannelUpstreamHandler() {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
            if (e.getMessage().equals("block")) {
                block();
            }
            ctx.sendUpstream(e);
        }
    });

    private void block() {
        busy.countDown();
        try {
            assertTrue(gate.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS), "timed out waiting for the gate");
        } catch (InterruptedException givenUp) {
            Thread.currentThread().interrupt();
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

    private <P extends MemoryAwareThreadPoolExecutor> P ended(P pool) {
        pools.add(pool);
        return pool;
    }

    private OrderedMemoryAwareThreadPoolExecutor ordered() {
        return ended(new OrderedMemoryAwareThreadPoolExecutor(
                1, 0, 1000, 10, TimeUnit.SECONDS, ONE_BYTE, Executors.defaultThreadFactory()));
    }

    private FairOrderedMemoryAwareThreadPoolExecutor fair() {
        return ended(new FairOrderedMemoryAwareThreadPoolExecutor(
                1, 0, 1000, 10, TimeUnit.SECONDS, ONE_BYTE, Executors.defaultThreadFactory()));
    }

    private OrderedMemoryAwareThreadPoolExecutor orderedWith(ConcurrentMap<Object, Executor> map) {
        return ended(new OrderedMemoryAwareThreadPoolExecutor(1, 0, 1000) {
            @Override
            protected ConcurrentMap<Object, Executor> newChildExecutorMap() {
                return map;
            }
        });
    }

    private ChannelUpstreamEventRunnable message(Object message, Executor executor) {
        return new ChannelUpstreamEventRunnable(
                channel.context(place), new UpstreamMessageEvent(channel, message, null), executor);
    }

    private void awaitReceived(Object... messages) {
        List<Object> received = new ArrayList<>();
        Await.until(() -> received.addAll(channel.takeReceived()) && received.size() >= messages.length, "messages");
        assertEquals(List.of(messages), received);
    }

    // ---- keys ----

    @Test
    void shouldListTheKeysThatHaveEvents() {
        OrderedMemoryAwareThreadPoolExecutor pool = ordered();
        assertEquals(Set.of(), pool.getChildExecutorKeySet());
        pool.execute(message("block", pool));
        Await.latch(busy, "the event");
        assertEquals(Set.of(channel), pool.getChildExecutorKeySet());
        gate.countDown();
        Await.until(() -> pool.getChildExecutorKeySet().isEmpty(), "the key to be forgotten");
    }

    @Test
    void shouldForgetAKeyOnRequest() {
        OrderedMemoryAwareThreadPoolExecutor pool = ordered();
        FairOrderedMemoryAwareThreadPoolExecutor fair = fair();
        pool.execute(message("block", pool));
        fair.execute(message("block", fair));
        assertTrue(pool.removeChildExecutor(channel));
        assertFalse(pool.removeChildExecutor(channel));
        assertTrue(fair.removeKey(channel));
        assertFalse(fair.removeKey(channel));
        gate.countDown();
        awaitReceived("block", "block");
    }

    /** The map shows a key to one thread later than to another. */
    @Test
    void shouldUseOneExecutorForAKeyThatAnotherThreadHasAdded() {
        OrderedMemoryAwareThreadPoolExecutor pool = orderedWith(new ConcurrentHashMap<>() {
            @Override
            public Executor get(Object key) {
                return null;
            }
        });
        ChannelEvent event = new UpstreamMessageEvent(channel, "a", null);
        Executor first = pool.getChildExecutor(event);
        assertSame(first, pool.getChildExecutor(event));
        pool.removeChildExecutor(channel);
        assertNotSame(first, pool.getChildExecutor(event));
    }

    @Test
    void shouldLeaveExecutorsOfTheUserAlone() {
        ConcurrentMap<Object, Executor> map = new ConcurrentHashMap<>();
        map.put("own", Runnable::run);
        OrderedMemoryAwareThreadPoolExecutor pool = orderedWith(map);
        Runnable unknown = () -> {};
        assertFalse(pool.remove(unknown));
        assertEquals(List.of(), pool.shutdownNow());
        assertEquals(Set.of("own"), pool.getChildExecutorKeySet());
    }

    @Test
    void shouldRunEventsInTheNextExecutorOfTheirKeyOnceOneHasRetired() {
        OrderedMemoryAwareThreadPoolExecutor pool = ordered();
        Executor child = pool.getChildExecutor(new UpstreamMessageEvent(channel, "a", null));
        child.execute(message("a", pool));
        Await.until(() -> pool.getChildExecutorKeySet().isEmpty(), "the key to be forgotten");
        child.execute(message("b", pool));
        awaitReceived("a", "b");
    }

    @Test
    void shouldContinueWithAKeyThatItsMapFailedToRemove() {
        int[] failures = {1};
        OrderedMemoryAwareThreadPoolExecutor pool = orderedWith(new ConcurrentHashMap<>() {
            @Override
            public boolean remove(Object key, Object value) {
                if (failures[0]-- > 0) {
                    throw new IllegalStateException("thrown on purpose");
                }
                return super.remove(key, value);
            }
        });
        try (CapturedLog log = CapturedLog.start()) {
            pool.execute(message("a", pool));
            log.awaitMessage(message -> message.level() == InternalLogLevel.WARN);
        }
        pool.execute(message("b", pool));
        awaitReceived("a", "b");
    }

    // ---- tasks that wait ----

    @Test
    void shouldRemoveAnEventThatWaitsForOthersOfItsKey() {
        OrderedMemoryAwareThreadPoolExecutor pool = ordered();
        pool.execute(message("block", pool));
        Await.latch(busy, "the event");
        Runnable waiting = message("removed", pool);
        pool.execute(waiting);
        pool.execute(message("kept", pool));
        assertEquals(2, pool.getTotalMemorySize());
        assertTrue(pool.remove(waiting));
        assertFalse(pool.remove(waiting));
        assertEquals(1, pool.getTotalMemorySize());
        gate.countDown();
        awaitReceived("block", "kept");
    }

    @Test
    void shouldRemoveATaskThatIsNoEvent() {
        OrderedMemoryAwareThreadPoolExecutor pool = ordered();
        pool.execute(this::block);
        Runnable task = () -> {
            throw new AssertionError("was removed");
        };
        pool.execute(task);
        assertTrue(pool.remove(task));
        assertFalse(pool.remove(task));
    }

    @Test
    void shouldGiveUpTasksThatAreNoEvents() {
        for (MemoryAwareThreadPoolExecutor pool : List.of(ordered(), fair())) {
            pool.execute(this::block);
            Runnable task = () -> {
                throw new AssertionError("was given up");
            };
            pool.execute(task);
            assertEquals(List.of(task), pool.shutdownNow());
        }
    }

    @Test
    void shouldGiveUpQueuedEventsAsTheyWereSubmitted() {
        for (MemoryAwareThreadPoolExecutor pool : List.of(ordered(), fair())) {
            pool.execute(this::block);
            List<Runnable> events = List.of(message("a", pool), message("b", pool), message("c", pool));
            events.forEach(pool::execute);
            assertEquals(events, pool.shutdownNow());
            assertEquals(0, pool.getTotalMemorySize());
        }
    }

    @Test
    void shouldGiveUpEventsThatWaitForARunningOne() {
        OrderedMemoryAwareThreadPoolExecutor pool = ordered();
        pool.execute(message("block", pool));
        Await.latch(busy, "the event");
        Runnable waiting = message("waiting", pool);
        pool.execute(waiting);
        assertEquals(List.of(waiting), pool.shutdownNow());
        assertEquals(0, pool.getTotalMemorySize());
    }

    /** It may end before the tasks are collected that waited for it. */
    @Test
    void shouldNotRunTheEventAfterOneThatItInterrupts() {
        MemoryAwareThreadPoolExecutor[] pool = {null};
        pool[0] = orderedWith(new ConcurrentHashMap<>() {
            @Override
            public Collection<Executor> values() {
                if (pool[0].isShutdown()) {
                    Await.until(pool[0]::isTerminated, "the end of the interrupted event");
                }
                return super.values();
            }
        });
        pool[0].execute(message("block", pool[0]));
        Await.latch(busy, "the event");
        Runnable waiting = message("waiting", pool[0]);
        pool[0].execute(waiting);
        assertEquals(List.of(waiting), pool[0].shutdownNow());
        assertEquals(List.of("block"), channel.takeReceived());
    }

    @Test
    void shouldRefuseTasksFromTheBeginningOfAStop() {
        List<Throwable> refusals = new ArrayList<>();
        MemoryAwareThreadPoolExecutor[] pool = {null};
        pool[0] = orderedWith(new ConcurrentHashMap<>() {
            @Override
            public Collection<Executor> values() {
                refusals.add(assertThrows(RejectedExecutionException.class, () -> pool[0].execute(() -> {})));
                return super.values();
            }
        });
        assertEquals(List.of(), pool[0].shutdownNow());
        assertFalse(refusals.isEmpty());
    }

    /** It would run while an earlier event of its key is still running, and without the one that is given up. */
    @Test
    void shouldRefuseAnEventWhoseSubmitterHasNotSeenTheStop() throws InterruptedException {
        CountDownLatch isSubmitted = new CountDownLatch(1);
        CountDownLatch isGivenUp = new CountDownLatch(1);
        List<CompletableFuture<Void>> late = new ArrayList<>();
        OrderedMemoryAwareThreadPoolExecutor pool = ended(new OrderedMemoryAwareThreadPoolExecutor(2, 0, 1000) {
            @Override
            protected Object getChildExecutorKey(ChannelEvent e) {
                if (e instanceof MessageEvent message && message.getMessage().equals("late")) {
                    isSubmitted.countDown();
                    Await.latch(isGivenUp, "the stop");
                }
                return super.getChildExecutorKey(e);
            }

            @Override
            void collectWaiting(List<Runnable> givenUp) {
                super.collectWaiting(givenUp);
                isGivenUp.countDown();
                late.get(0).exceptionally(refusal -> null).join();
            }
        });
        pool.execute(message("block", pool));
        Await.latch(busy, "the event");
        Runnable waiting = message("waiting", pool);
        pool.execute(waiting);
        Runnable submission = () -> pool.execute(message("late", pool));
        late.add(CompletableFuture.runAsync(submission, task -> new Thread(task).start()));
        Await.latch(isSubmitted, "the late event");
        assertEquals(List.of(waiting), pool.shutdownNow());
        Throwable refusal =
                assertThrows(CompletionException.class, late.get(0)::join).getCause();
        assertInstanceOf(RejectedExecutionException.class, refusal);
        assertTrue(pool.awaitTermination(Await.LIMIT.toSeconds(), TimeUnit.SECONDS), "not terminated: " + pool);
        assertEquals(List.of("block"), channel.takeReceived());
        assertEquals(0, pool.getTotalMemorySize());
    }

    /** They follow one that runs, and are in no queue. */
    @Test
    void shouldReportEventsOfAFairPoolThatFollowAnInterruptedOne() {
        FairOrderedMemoryAwareThreadPoolExecutor pool = fair();
        pool.execute(message("block", pool));
        Await.latch(busy, "the event");
        pool.execute(message("following", pool));
        assertEquals(List.of(), pool.shutdownNow());
        List<Throwable> caught = new ArrayList<>();
        Await.until(() -> caught.addAll(channel.takeCaught()), "the report");
        assertInstanceOf(RejectedExecutionException.class, caught.get(0));
        assertEquals(List.of("block"), channel.takeReceived());
        assertEquals(0, pool.getTotalMemorySize());
    }

    @Test
    void shouldStillCountAnEventThatCannotBeRemoved() {
        FairOrderedMemoryAwareThreadPoolExecutor pool = fair();
        pool.execute(message("block", pool));
        Await.latch(busy, "the event");
        Runnable following = message("following", pool);
        pool.execute(following);
        assertFalse(pool.remove(following));
        assertEquals(1, pool.getTotalMemorySize());
        gate.countDown();
        awaitReceived("block", "following");
    }

    // ---- a thread that cannot be started ----

    /** Submits another event of the same key, and then fails to make a thread. */
    private final class FailingOnce implements ThreadFactory {
        private Executor executor;
        private boolean hasFailed;

        @Override
        public Thread newThread(Runnable task) {
            if (!hasFailed) {
                hasFailed = true;
                executor.execute(message("lost", executor));
                throw new OutOfMemoryError("no thread, on purpose");
            }
            return new Thread(task);
        }
    }

    private void shouldReportEventsThatAreLost(FailingOnce threads, Executor executor, LongSupplier memory) {
        threads.executor = executor;
        assertThrows(OutOfMemoryError.class, () -> executor.execute(message("refused", executor)));
        assertEquals(0, memory.getAsLong());
        assertEquals(1, channel.takeCaught().size(), "for the event that was accepted");
        executor.execute(message("next", executor));
        awaitReceived("next");
    }

    @Test
    void shouldReportAcceptedEventsThatNoThreadCanRun() {
        FailingOnce forOrdered = new FailingOnce();
        OrderedMemoryAwareThreadPoolExecutor ordered =
                ended(new OrderedMemoryAwareThreadPoolExecutor(1, 0, 1000, 10, TimeUnit.SECONDS, ONE_BYTE, forOrdered));
        shouldReportEventsThatAreLost(forOrdered, ordered, ordered::getTotalMemorySize);

        FailingOnce forFair = new FailingOnce();
        FairOrderedMemoryAwareThreadPoolExecutor fair = ended(
                new FairOrderedMemoryAwareThreadPoolExecutor(1, 0, 1000, 10, TimeUnit.SECONDS, ONE_BYTE, forFair));
        shouldReportEventsThatAreLost(forFair, fair, fair::getTotalMemorySize);

        FailingOnce forKeyed = new FailingOnce();
        MemoryAwareThreadPoolExecutor threads =
                ended(new MemoryAwareThreadPoolExecutor(1, 0, 0, 10, TimeUnit.SECONDS, forKeyed));
        KeyedExecutor keyed = new KeyedExecutor(threads, 0, 1000, ONE_BYTE);
        shouldReportEventsThatAreLost(forKeyed, keyed, keyed::getTotalMemorySize);
    }

    @Test
    void shouldRefuseEventsOnceStopped() {
        OrderedMemoryAwareThreadPoolExecutor pool = ordered();
        pool.shutdownNow();
        assertInstanceOf(
                RejectedExecutionException.class,
                assertThrows(RuntimeException.class, () -> pool.execute(message("late", pool))));
    }
}
