package org.freshet.handler.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.telemetry.Telemetry;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.FakeClock;
import org.freshet.testing.MemoryChannel;
import org.freshet.util.DefaultObjectSizeEstimator;
import org.junit.jupiter.api.Test;

/** The metrics that show an executor's backlog. */
class KeyedExecutorTest {
    private final FakeClock clock = new FakeClock();

    /** Run by the test. */
    private final Queue<Runnable> tasks = new ArrayDeque<>();

    private final KeyedExecutor executor =
            new KeyedExecutor(tasks::add, 0, 0, new DefaultObjectSizeEstimator(), clock::nanos);

    private final List<Integer> waitingDuringCalls = new ArrayList<>();
    private final List<Long> oldestMillisDuringCalls = new ArrayList<>();

    private MemoryChannel channel() {
        MemoryChannel channel =
                MemoryChannel.connected(new ExecutionHandler(executor), (ChannelUpstreamHandler) this::takeMessage);
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
        return channel;
    }

    private void takeMessage(ChannelHandlerContext ctx, ChannelEvent e) {
        if (e instanceof MessageEvent) {
            waitingDuringCalls.add(executor.getWaiting());
            oldestMillisDuringCalls.add(
                    Duration.ofNanos(executor.getOldestWaitNanos()).toMillis());
        }
    }

    @Test
    void shouldReportHowManyEventsWaitAndForHowLong() {
        MemoryChannel one = channel();
        MemoryChannel other = channel();
        assertEquals(0, executor.getWaiting());
        assertEquals(0, executor.getOldestWaitNanos());

        one.receive("a");
        clock.advanceMillis(20);
        one.receive("b");
        other.receive("c");
        clock.advanceMillis(5);
        assertEquals(3, executor.getWaiting());
        assertEquals(Duration.ofMillis(25).toNanos(), executor.getOldestWaitNanos());

        tasks.remove().run();
        assertEquals(List.of(2, 1), waitingDuringCalls, "the running event does not count");
        assertEquals(1, executor.getWaiting());
        assertEquals(Duration.ofMillis(5).toNanos(), executor.getOldestWaitNanos());

        tasks.remove().run();
        assertEquals(List.of(5L, 5L, 0L), oldestMillisDuringCalls, "while the last one runs, none waits");
        assertEquals(0, executor.getWaiting());
        assertEquals(0, executor.getOldestWaitNanos());
    }

    @Test
    void shouldBeAmongTheMetricsOnceAdded() throws Exception {
        MemoryChannel channel = channel();
        channel.receive("a");
        clock.advanceMillis(250);
        Telemetry.addQueue("requests", executor);
        try {
            String text = metrics();
            assertTrue(text.contains("freshet_executor_waiting{executor=\"requests\"} 1\n"), text);
            assertTrue(text.contains("freshet_executor_oldest_wait_seconds{executor=\"requests\"} 0.25\n"), text);
            Telemetry.addQueue("requests", executor);
            KeyedExecutor another = new KeyedExecutor(Runnable::run, 0, 0);
            assertThrows(IllegalArgumentException.class, () -> Telemetry.addQueue("requests", another));
        } finally {
            assertTrue(Telemetry.removeQueue("requests"));
        }
        assertFalse(Telemetry.removeQueue("requests"));
        assertFalse(metrics().contains("freshet_executor_waiting"));
        tasks.remove().run();
    }

    private static String metrics() throws Exception {
        StringBuilder text = new StringBuilder();
        Telemetry.writePrometheus(text);
        return text.toString();
    }

    @Test
    void shouldCountAnEventUntilItHasRun() {
        KeyedExecutor limited = new KeyedExecutor(tasks::add, 2, 0, event -> 1);
        List<Long> bytesDuringCalls = new ArrayList<>();
        MemoryChannel channel =
                MemoryChannel.connected(new ExecutionHandler(limited), (ChannelUpstreamHandler) (ctx, e) -> {
                    if (e instanceof MessageEvent) {
                        bytesDuringCalls.add(limited.getTotalMemorySize());
                    }
                });
        tasks.remove().run();
        channel.receive("a");
        assertTrue(channel.isReadable());
        channel.receive("b");
        assertFalse(channel.isReadable());
        assertEquals(2, limited.getTotalMemorySize());
        tasks.remove().run();
        assertEquals(List.of(2L, 1L), bytesDuringCalls);
        assertEquals(0, limited.getTotalMemorySize());
        assertTrue(channel.isReadable());
    }

    @Test
    void shouldNotCountAnEventThatIsRefused() {
        KeyedExecutor full = new KeyedExecutor(
                task -> {
                    throw new RejectedExecutionException("full");
                },
                0,
                1000,
                event -> 1);
        MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(full));
        channel.takeCaught();
        channel.receive("a");
        assertEquals(1, channel.takeCaught().size());
        assertEquals(0, full.getTotalMemorySize());
        assertEquals(0, full.getWaiting());
    }

    @Test
    void shouldPassOnTasksThatAreNoEvents() {
        Runnable task = () -> {};
        executor.execute(task);
        assertSame(task, tasks.remove());
        assertEquals(0, executor.getWaiting());
    }

    /** Can't be removed from a map at first. */
    private static final class StickyKey {
        private int lookUps;

        @Override
        public int hashCode() {
            if (++lookUps == 2) {
                throw new IllegalStateException("thrown on purpose");
            }
            return 7;
        }

        @Override
        public boolean equals(Object other) {
            return other == this;
        }
    }

    @Test
    void shouldContinueWithAKeyThatItsMapFailedToRemove() {
        StickyKey key = new StickyKey();
        KeyedExecutor sticky = new KeyedExecutor(tasks::add, 0, 0) {
            @Override
            protected Object getKey(ChannelEvent e) {
                return key;
            }
        };
        MemoryChannel channel = MemoryChannel.open(new ExecutionHandler(sticky));
        try (CapturedLog log = CapturedLog.start()) {
            tasks.remove().run();
            assertEquals("thrown on purpose", log.only().cause().getMessage());
        }
        channel.receive("a");
        channel.receive("b");
        assertEquals(1, tasks.size());
        assertEquals(2, sticky.getWaiting());
        tasks.remove().run();
        assertEquals(List.of("a", "b"), channel.takeReceived());
        assertEquals(0, sticky.getWaiting());
    }

    @Test
    void shouldCountMessagesAndStatesButNoChangesOfInterest() {
        KeyedExecutor limited = new KeyedExecutor(tasks::add, 0, 100, event -> 1);
        MemoryChannel channel = MemoryChannel.open(new ExecutionHandler(limited, true, true));
        assertEquals(1, limited.getTotalMemorySize(), "channelOpen");
        Channels.fireChannelInterestChanged(channel);
        Channels.fireWriteComplete(channel, 1000);
        channel.write("a");
        assertEquals(1, limited.getTotalMemorySize());
        channel.receive("a");
        assertEquals(2, limited.getTotalMemorySize());
        tasks.remove().run();
        assertEquals(0, limited.getTotalMemorySize());
    }

    @Test
    void shouldReportNoNegativeWaitIfTheClockIsReadBeforeAnEventIsAccepted() {
        long[] now = {100};
        KeyedExecutor other = new KeyedExecutor(tasks::add, 0, 0, event -> 1, () -> now[0]);
        MemoryChannel.open(new ExecutionHandler(other));
        now[0] = 90;
        assertEquals(0, other.getOldestWaitNanos());
        now[0] = 101;
        assertEquals(1, other.getOldestWaitNanos());
    }

    @Test
    void shouldStartVirtualThreadsOrReportThatTheyAreUnavailable() {
        if (Runtime.version().feature() < 21) {
            assertTrue(assertThrows(IllegalStateException.class, () -> KeyedExecutor.onVirtualThreads(0, 0))
                    .getMessage()
                    .startsWith("virtual threads need Java 21 or later"));
            return;
        }
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        MemoryChannel channel = MemoryChannel.connected(
                new ExecutionHandler(KeyedExecutor.onVirtualThreads(1_000, 1_000)),
                (ChannelUpstreamHandler) (ctx, e) -> {
                    if (e instanceof MessageEvent) {
                        thread.complete(Thread.currentThread());
                    }
                });
        channel.receive("a");
        assertTrue(Await.result(thread, "the event").toString().startsWith("VirtualThread"));
    }
}
