package org.freshet.handler.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.UpstreamMessageEvent;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The guarantee of all executors that keep an order: under a random load, events of one key run in order and none is
 * lost.
 */
class OrderTest {
    private static final long LIMIT_BYTES = 2000;

    private static final int CHANNELS = 16;
    private static final int MESSAGES = 1500;

    /** A message that knows its position. */
    private record Numbered(int key, int number) {}

    /** One kind of ordered executor, and how to shut it down. */
    private record Subject(String name, Executor executor, LongSupplier memory, ExecutorService behind) {
        @Override
        public String toString() {
            return name;
        }

        static Subject of(String name, MemoryAwareThreadPoolExecutor pool) {
            return new Subject(name, pool, pool::getTotalMemorySize, pool);
        }

        static Subject keyed(String name, ExecutorService behind) {
            KeyedExecutor executor = new KeyedExecutor(behind, LIMIT_BYTES, 2 * LIMIT_BYTES);
            return new Subject(name, executor, executor::getTotalMemorySize, behind);
        }
    }

    static Stream<Subject> subjects() {
        List<Subject> subjects = new ArrayList<>();
        subjects.add(Subject.of("ordered", new OrderedMemoryAwareThreadPoolExecutor(4, LIMIT_BYTES, 2 * LIMIT_BYTES)));
        subjects.add(Subject.of("one thread", new OrderedMemoryAwareThreadPoolExecutor(1, LIMIT_BYTES, 1)));
        subjects.add(Subject.of("fair", new FairOrderedMemoryAwareThreadPoolExecutor(4, LIMIT_BYTES, 2 * LIMIT_BYTES)));
        subjects.add(Subject.keyed("keyed", Executors.newFixedThreadPool(4)));
        VirtualThreads.newExecutor().ifPresent(it -> subjects.add(Subject.keyed("keyed, virtual", it)));
        return subjects.stream();
    }

    /** Records events out of order, and events that overlap another one of the same key. */
    @Sharable
    private static final class Checker extends SimpleChannelUpstreamHandler {
        private final Map<Integer, AtomicInteger> last = new ConcurrentHashMap<>();
        private final Map<Integer, AtomicBoolean> busy = new ConcurrentHashMap<>();
        private final AtomicInteger misplaced = new AtomicInteger();
        private final CountDownLatch received;

        Checker(int expected) {
            received = new CountDownLatch(expected);
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            Numbered message = (Numbered) e.getMessage();
            AtomicBoolean mine = busy.computeIfAbsent(message.key, key -> new AtomicBoolean());
            boolean alone = mine.compareAndSet(false, true);
            int before = last.computeIfAbsent(message.key, key -> new AtomicInteger(-1))
                    .getAndSet(message.number);
            if (!alone || before != message.number - 1) {
                misplaced.incrementAndGet();
            }
            if (message.number % 64 == 0) {
                Thread.yield();
            }
            mine.set(false);
            received.countDown();
        }
    }

    @ParameterizedTest
    @MethodSource("subjects")
    void shouldKeepOrderAndLoseNothing(Subject subject) {
        Checker checker = new Checker(CHANNELS * MESSAGES);
        List<MemoryChannel> channels = load(subject, checker, () -> {});
        Await.latch(checker.received, "messages");
        assertEquals(0, checker.misplaced.get(), "messages out of order");
        Await.until(() -> subject.memory.getAsLong() == 0, "memory to be released");
        Await.until(() -> channels.stream().allMatch(MemoryChannel::isReadable), "all channels to be read");
        new ExecutionHandler(subject.executor).releaseExternalResources();
        Await.until(subject.behind::isTerminated, "the end of the executor");
    }

    /** Submitted before, during and after the shutdown. */
    @ParameterizedTest
    @MethodSource("subjects")
    void shouldKeepOrderAndLoseNothingAcrossShutdown(Subject subject) throws InterruptedException {
        if (!(subject.executor instanceof MemoryAwareThreadPoolExecutor)) {
            subject.behind.shutdown(); // not its own executor, and it refuses later tasks
            return;
        }
        Checker checker = new Checker(CHANNELS * MESSAGES);
        load(subject, checker, subject.behind::shutdown);
        Await.latch(checker.received, "messages");
        assertEquals(0, checker.misplaced.get(), "messages out of order");
        assertTrue(subject.behind.awaitTermination(30, TimeUnit.SECONDS), "not terminated: " + subject.behind);
        Await.until(() -> subject.memory.getAsLong() == 0, "memory to be released");
    }

    @ParameterizedTest
    @MethodSource("subjects")
    void shouldKeepOrderAmongEventsThatRunBeforeShutdownNow(Subject subject) throws InterruptedException {
        Checker checker = new Checker(CHANNELS * MESSAGES);
        List<Runnable> givenUp = new ArrayList<>();
        load(subject, checker, () -> givenUp.addAll(subject.behind.shutdownNow()));
        assertTrue(subject.behind.awaitTermination(30, TimeUnit.SECONDS), "not terminated: " + subject.behind);
        assertEquals(0, checker.misplaced.get(), "messages out of order");
        assertTrue(subject.behind.isTerminated());
    }

    /**
     * Each channel's messages are submitted by one thread, as an I/O thread would do; in the middle something happens.
     */
    private static List<MemoryChannel> load(Subject subject, Checker checker, Runnable inTheMiddle) {
        ExecutionHandler handler = new ExecutionHandler(subject.executor);
        List<MemoryChannel> channels = new ArrayList<>();
        for (int i = 0; i < CHANNELS; i++) {
            channels.add(MemoryChannel.connected(new Quiet(), handler, checker));
        }
        List<Thread> bringers = new ArrayList<>();
        CountDownLatch half = new CountDownLatch(1);
        int perBringer = CHANNELS / 4;
        for (int t = 0; t < 4; t++) {
            int first = t * perBringer;
            Thread bringer = new Thread(() -> bring(channels, first, perBringer, half));
            bringer.start();
            bringers.add(bringer);
        }
        Await.latch(half, "the middle");
        inTheMiddle.run();
        bringers.forEach(Await::end);
        return channels;
    }

    private static void bring(List<MemoryChannel> channels, int first, int count, CountDownLatch half) {
        Random random = Seeds.random(first);
        int[] next = new int[count];
        for (int i = 0; i < count * MESSAGES; i++) {
            int which = random.nextInt(count);
            while (next[which] == MESSAGES) {
                which = (which + 1) % count;
            }
            channels.get(first + which).receive(new Numbered(first + which, next[which]++));
            if (i == count * MESSAGES / 2) {
                half.countDown();
            }
        }
    }

    /** Keeps refusals out of the log: after shutdownNow there are many, and they are intended. */
    private static final class Quiet extends SimpleChannelUpstreamHandler {
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            // handled
        }
    }

    @Test
    void shouldKeepOrderByAUserDefinedKey() {
        OrderedMemoryAwareThreadPoolExecutor pool = new OrderedMemoryAwareThreadPoolExecutor(4, 0, 0) {
            @Override
            protected Object getChildExecutorKey(ChannelEvent e) {
                return e instanceof MessageEvent m ? ((Numbered) m.getMessage()).key() : e.getChannel();
            }
        };
        Checker checker = new Checker(5 * 2000);
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(pool), checker);
        for (int number = 0; number < 2000; number++) {
            for (int key = 0; key < 5; key++) {
                channel.receive(new Numbered(key, number));
            }
        }
        Await.latch(checker.received, "messages");
        assertEquals(0, checker.misplaced.get(), "messages out of order");
        Await.until(() -> pool.getChildExecutorKeySet().isEmpty(), "keys to be forgotten");
        new ExecutionHandler(pool).releaseExternalResources();
    }

    @Test
    void shouldReturnWaitingEventsInOrderOnShutdownNow() throws InterruptedException {
        for (MemoryAwareThreadPoolExecutor pool : List.of(
                new OrderedMemoryAwareThreadPoolExecutor(1, 0, 9999),
                new FairOrderedMemoryAwareThreadPoolExecutor(1, 0, 9999))) {
            CountDownLatch gate = new CountDownLatch(1);
            CountDownLatch busy = new CountDownLatch(1);
            pool.execute(() -> {
                busy.countDown();
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    // by shutdownNow
                    return;
                }
            });
            Await.latch(busy, "the pool's thread");
            MemoryChannel channel = MemoryChannel.connected();
            ExecutionHandler handler = new ExecutionHandler(pool);
            channel.getPipeline().addFirst("executor", handler);
            for (int i = 0; i < 3; i++) {
                channel.receive(i);
            }
            List<Object> listed = new ArrayList<>();
            for (Runnable task : pool.shutdownNow()) {
                listed.add(((MessageEvent) ((ChannelEventRunnable) task).getEvent()).getMessage());
            }
            assertEquals(List.of(0, 1, 2), listed);
            assertEquals(0, pool.getTotalMemorySize());
            gate.countDown();
            assertTrue(pool.awaitTermination(30, TimeUnit.SECONDS), "not terminated: " + pool);
        }
    }

    private static ChannelUpstreamEventRunnable message(
            MemoryChannel channel, ChannelHandler place, Executor executor, int number) {
        return new ChannelUpstreamEventRunnable(
                channel.context(place), new UpstreamMessageEvent(channel, number, null), executor);
    }

    @Test
    void shouldContinueWithAKeyAfterAThreadCouldNotBeStarted() {
        AtomicBoolean exhausted = new AtomicBoolean();
        ThreadFactory threads = task -> {
            if (exhausted.compareAndSet(true, false)) {
                throw new OutOfMemoryError("no thread, on purpose");
            }
            return new Thread(task);
        };
        List<Executor> executors = List.of(
                new OrderedMemoryAwareThreadPoolExecutor(4, LIMIT_BYTES, LIMIT_BYTES, 30, TimeUnit.SECONDS, threads),
                new FairOrderedMemoryAwareThreadPoolExecutor(
                        4, LIMIT_BYTES, LIMIT_BYTES, 30, TimeUnit.SECONDS, threads),
                new KeyedExecutor(Executors.newFixedThreadPool(4, threads), LIMIT_BYTES, LIMIT_BYTES));
        for (Executor executor : executors) {
            SimpleChannelUpstreamHandler place = new SimpleChannelUpstreamHandler();
            MemoryChannel channel = MemoryChannel.connected(place);
            exhausted.set(true);
            assertThrows(OutOfMemoryError.class, () -> executor.execute(message(channel, place, executor, 1)));
            executor.execute(message(channel, place, executor, 2));
            Await.until(() -> channel.takeReceived().equals(List.of(2)), "the next event in " + executor);
            new ExecutionHandler(executor).releaseExternalResources();
        }
    }

    @Test
    void shouldContinueEvenIfASubclassThrowsAfterATask() {
        AtomicBoolean throwing = new AtomicBoolean(true);
        FairOrderedMemoryAwareThreadPoolExecutor pool = new FairOrderedMemoryAwareThreadPoolExecutor(2, 0, 0) {
            @Override
            protected void afterExecute(Runnable task, Throwable thrown) {
                super.afterExecute(task, thrown);
                if (task instanceof ChannelEventRunnable && throwing.compareAndSet(true, false)) {
                    throw new IllegalStateException("thrown on purpose");
                }
            }
        };
        SimpleChannelUpstreamHandler place = new SimpleChannelUpstreamHandler();
        MemoryChannel channel = MemoryChannel.connected(place);
        List<Object> received = new ArrayList<>();
        try (CapturedLog log = CapturedLog.start()) {
            for (int number = 1; number <= 3; number++) {
                pool.execute(message(channel, place, pool, number));
            }
            Await.until(() -> received.addAll(channel.takeReceived()) && received.size() == 3, "all events");
            assertEquals(1, log.messages(InternalLogLevel.ERROR).size());
        }
        assertEquals(List.of(1, 2, 3), received);
        new ExecutionHandler(pool).releaseExternalResources();
    }
}
