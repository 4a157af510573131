package org.freshet.handler.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.DefaultChannelFuture;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.UpstreamMessageEvent;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.MemoryChannel;
import org.freshet.util.ObjectSizeEstimator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The user's code throws wherever an executor calls it with the message "bad". The exception is reported, nothing stays
 * counted, and all other events run.
 */
class ThrowingUserCodeTest {
    private static final int LIMIT = 100;
    private static final ObjectSizeEstimator SIXTY_BYTES = task -> isMessage(task) ? 60 : 0;

    /** An executor whose key and size estimator throw for a bad message. */
    private record Setup(String name, Executor executor, LongSupplier countedBytes) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static boolean isMessage(Object task) {
        return ((ChannelEventRunnable) task).getEvent() instanceof MessageEvent;
    }

    private static boolean isBad(ChannelEvent e) {
        return e instanceof MessageEvent message && message.getMessage().equals("bad");
    }

    private static RuntimeException fault() {
        return new IllegalStateException("the user's code");
    }

    private static int throwingSize(Object task) {
        if (isBad(((ChannelEventRunnable) task).getEvent())) {
            throw fault();
        }
        return SIXTY_BYTES.estimateSize(task);
    }

    private static Object throwingKey(ChannelEvent e) {
        if (isBad(e)) {
            throw fault();
        }
        return e.getChannel();
    }

    private static Object keyThatThrows(ChannelEvent e) {
        return isBad(e) ? new UnhashableKey() : e.getChannel();
    }

    private static final class UnhashableKey {
        @Override
        public int hashCode() {
            throw fault();
        }
    }

    private interface KeyFunction {
        Object keyOf(ChannelEvent e);
    }

    private static Setup ordered(String name, ObjectSizeEstimator estimator, KeyFunction key) {
        OrderedMemoryAwareThreadPoolExecutor pool =
                new OrderedMemoryAwareThreadPoolExecutor(
                        2, LIMIT, 0, 10, TimeUnit.SECONDS, estimator, Executors.defaultThreadFactory()) {
                    @Override
                    protected Object getChildExecutorKey(ChannelEvent e) {
                        return key.keyOf(e);
                    }
                };
        return new Setup("ordered, " + name, pool, pool::getTotalMemorySize);
    }

    private static Setup fair(String name, ObjectSizeEstimator estimator, KeyFunction key) {
        FairOrderedMemoryAwareThreadPoolExecutor pool =
                new FairOrderedMemoryAwareThreadPoolExecutor(
                        2, LIMIT, 0, 10, TimeUnit.SECONDS, estimator, Executors.defaultThreadFactory()) {
                    @Override
                    protected Object getKey(ChannelEvent e) {
                        return key.keyOf(e);
                    }
                };
        return new Setup("fair, " + name, pool, pool::getTotalMemorySize);
    }

    private static Setup keyed(String name, ObjectSizeEstimator estimator, KeyFunction key) {
        KeyedExecutor keyed = new KeyedExecutor(Executors.newFixedThreadPool(2), LIMIT, 0, estimator) {
            @Override
            protected Object getKey(ChannelEvent e) {
                return key.keyOf(e);
            }
        };
        return new Setup("keyed, " + name, keyed, keyed::getTotalMemorySize);
    }

    private static Setup unordered(String name, ObjectSizeEstimator estimator) {
        MemoryAwareThreadPoolExecutor pool = new MemoryAwareThreadPoolExecutor(
                2, LIMIT, 0, 10, TimeUnit.SECONDS, estimator, Executors.defaultThreadFactory());
        return new Setup("unordered, " + name, pool, pool::getTotalMemorySize);
    }

    static Stream<Setup> setups() {
        ObjectSizeEstimator throwing = ThrowingUserCodeTest::throwingSize;
        KeyFunction byChannel = ChannelEvent::getChannel;
        return Stream.of(
                unordered("estimator", throwing),
                ordered("estimator", throwing, byChannel),
                fair("estimator", throwing, byChannel),
                keyed("estimator", throwing, byChannel),
                ordered("key", SIXTY_BYTES, ThrowingUserCodeTest::throwingKey),
                fair("key", SIXTY_BYTES, ThrowingUserCodeTest::throwingKey),
                keyed("key", SIXTY_BYTES, ThrowingUserCodeTest::throwingKey),
                ordered("hash", SIXTY_BYTES, ThrowingUserCodeTest::keyThatThrows),
                fair("hash", SIXTY_BYTES, ThrowingUserCodeTest::keyThatThrows),
                keyed("hash", SIXTY_BYTES, ThrowingUserCodeTest::keyThatThrows));
    }

    @ParameterizedTest
    @MethodSource("setups")
    void shouldRefuseTheBadEventAndRunTheOthers(Setup setup) {
        try (CapturedLog log = CapturedLog.start()) {
            refuseTheBadEventAndRunTheOthers(setup);
            assertEquals(List.of(), log.messages(InternalLogLevel.ERROR));
        }
    }

    private static void refuseTheBadEventAndRunTheOthers(Setup setup) {
        ExecutionHandler handler = new ExecutionHandler(setup.executor());
        MemoryChannel channel = MemoryChannel.connected(handler);
        for (int i = 0; i < 50; i++) {
            channel.receive("bad");
            channel.receive("good");
        }
        List<Object> received = new ArrayList<>();
        List<Throwable> caught = new ArrayList<>();
        Await.until(
                () -> {
                    received.addAll(channel.takeReceived());
                    caught.addAll(channel.takeCaught());
                    return received.size() == 50 && caught.size() == 50;
                },
                () -> "all; received " + received.size() + " messages and " + caught);
        assertTrue(received.stream().allMatch("good"::equals));
        caught.forEach(cause -> assertEquals("the user's code", cause.getMessage()));
        Await.until(() -> setup.countedBytes().getAsLong() == 0, "nothing to be counted");
        Await.until(channel::isReadable, "reading");
        handler.releaseExternalResources();
    }

    /** Fails in removals and, after inserting, in every third insertion. */
    private static final class FaultyMap<V> extends ConcurrentHashMap<Object, V> {
        private static final long serialVersionUID = 1L;

        private int insertions;

        @Override
        public boolean remove(Object key, Object value) {
            throw fault();
        }

        @Override
        public V put(Object key, V value) {
            V before = super.put(key, value);
            if (++insertions % 3 == 0) {
                throw fault();
            }
            return before;
        }
    }

    @Test
    void shouldRunOrRefuseEachEventWhenAMapThrows() {
        MemoryAwareThreadPoolExecutor pool = new FairOrderedMemoryAwareThreadPoolExecutor(2, LIMIT, 0) {
            @Override
            protected ConcurrentMap<Object, EventTask> newMap() {
                return new FaultyMap<>();
            }
        };
        pool.setObjectSizeEstimator(SIXTY_BYTES);
        try (CapturedLog log = CapturedLog.start()) {
            MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(pool));
            for (int i = 0; i < 100; i++) {
                channel.receive(i);
            }
            List<Object> outcomes = new ArrayList<>();
            Await.until(
                    () -> {
                        outcomes.addAll(channel.takeReceived());
                        outcomes.addAll(channel.takeCaught());
                        return outcomes.size() >= 100;
                    },
                    () -> "an outcome of each message; so far " + outcomes.size());
            Await.until(() -> pool.getTotalMemorySize() == 0, "nothing to be counted");
            Await.until(channel::isReadable, "reading");
            assertFalse(log.messages(InternalLogLevel.WARN).isEmpty());
            pool.shutdown();
            Await.until(pool::isTerminated, "the end of the pool");
        }
    }

    @Test
    void shouldNotCountEventsThatAHookPrevented() {
        MemoryAwareThreadPoolExecutor pool = new FairOrderedMemoryAwareThreadPoolExecutor(2, LIMIT, 0) {
            @Override
            protected void beforeExecute(Thread thread, Runnable task) {
                if (task instanceof ChannelEventRunnable) {
                    throw fault();
                }
            }

            @Override
            protected void afterExecute(Runnable task, Throwable thrown) {
                if (task instanceof ChannelEventRunnable) {
                    throw fault();
                }
            }
        };
        pool.setObjectSizeEstimator(SIXTY_BYTES);
        try (CapturedLog log = CapturedLog.start()) {
            MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(pool));
            for (int i = 0; i < 10; i++) {
                channel.receive(i);
            }
            Await.until(() -> pool.getTotalMemorySize() == 0, "nothing to be counted");
            Await.until(channel::isReadable, "reading");
            assertFalse(log.messages(InternalLogLevel.ERROR).isEmpty());
            pool.shutdown();
            Await.until(pool::isTerminated, "the end of the pool");
        }
    }

    @Test
    void shouldCallTheHookAfterEachEventWithWhatItThrew() {
        MemoryChannel channel = MemoryChannel.connected();
        List<String> after = new CopyOnWriteArrayList<>();
        MemoryAwareThreadPoolExecutor pool = new OrderedMemoryAwareThreadPoolExecutor(1, 0, 0) {
            @Override
            protected void afterExecute(Runnable task, Throwable thrown) {
                if (task instanceof ChannelEventRunnable event) {
                    after.add(event.getEvent() + " threw " + thrown);
                }
            }
        };
        try (CapturedLog log = CapturedLog.start()) {
            pool.execute(event(channel, "first", () -> {
                throw fault();
            }));
            pool.execute(event(channel, "second", () -> {}));
            pool.shutdown();
            Await.until(pool::isTerminated, "the end of the pool");
            assertEquals(1, log.messages(InternalLogLevel.ERROR).size());
        }
        assertEquals(2, after.size());
        assertTrue(after.get(0).matches(".*first.* threw " + fault()), after.get(0));
        assertTrue(after.get(1).matches(".*second.* threw null"), after.get(1));
    }

    private static ChannelEventRunnable event(MemoryChannel channel, String message, Runnable body) {
        return new ChannelEventRunnable(
                channel.getPipeline().getContext("keeper of a MemoryChannel"),
                new UpstreamMessageEvent(channel, message, null),
                Runnable::run) {
            @Override
            protected void doRun() {
                body.run();
            }
        };
    }

    @Test
    void shouldFailAllLostEventsWhenAFutureThrows() {
        MemoryAwareThreadPoolExecutor pool = new OrderedMemoryAwareThreadPoolExecutor(1, 0, 0);
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        pool.execute(() -> {
            busy.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
        });
        Await.latch(busy, "the pool's thread");
        MemoryChannel channel = MemoryChannel.connected();
        ChannelFuture throwing = new DefaultChannelFuture(channel, false) {
            @Override
            public boolean setFailure(Throwable cause) {
                throw fault();
            }
        };
        ChannelFuture last = Channels.future(channel);
        for (ChannelFuture future : List.of(throwing, last)) {
            pool.execute(new ChannelDownstreamEventRunnable(
                    channel.getPipeline().getContext("keeper of a MemoryChannel"),
                    new DownstreamMessageEvent(channel, future, "x", null),
                    pool));
        }
        try (CapturedLog log = CapturedLog.start()) {
            assertEquals(2, pool.shutdownNow(true).size());
            assertEquals(1, log.messages(InternalLogLevel.WARN).size());
        }
        assertInstanceOf(RejectedExecutionException.class, Await.failure(last, "the last write"));
        assertEquals(1, channel.takeCaught().size());
        Await.latch(interrupted, "the interrupt");
    }
}
