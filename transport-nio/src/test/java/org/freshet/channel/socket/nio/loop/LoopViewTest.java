package org.freshet.channel.socket.nio.loop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Arrays;
import java.util.List;
import org.freshet.channel.Channel;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.internal.telemetry.LoopCounters;
import org.freshet.internal.telemetry.WatchedLoop;
import org.freshet.telemetry.LoopStats;
import org.junit.jupiter.api.Test;

/** Which of a loop's counters is which statistic. */
class LoopViewTest {
    private final LoopCounters counters = new LoopCounters();
    private Thread thread;
    private final LoopStats stats = new LoopView(new WatchedLoop() {
        @Override
        public String role() {
            return "worker";
        }

        @Override
        public Thread thread() {
            return thread;
        }

        @Override
        public boolean isWaiting() {
            return true;
        }

        @Override
        public LoopCounters counters() {
            return counters;
        }

        @Override
        public int channelCount() {
            return 3;
        }

        @Override
        public int pendingTasks() {
            return 4;
        }

        @Override
        public Channel channel(int id) {
            return null;
        }

        @Override
        public boolean submit(Runnable task) {
            return false;
        }
    });

    @Test
    void shouldNameTheLoopAfterItsThreadWhileItHasOne() {
        assertEquals("", stats.getName());
        thread = new Thread("a loop");
        assertEquals("a loop", stats.getName());
        assertEquals("worker", stats.getRole());
        assertEquals("worker a loop: 3 channels, 0 iterations", stats.toString());
    }

    @Test
    void shouldShowWhatTheLoopHasNow() {
        assertEquals(3, stats.getChannels());
        assertEquals(4, stats.getTasksPending());
        assertEquals(0, stats.getStalls());
        assertFalse(stats.isStalled());
    }

    @Test
    void shouldCountEachEventOnItsOwn() {
        counters.onReadyKey();
        times(2, counters::onWakeUp);
        times(3, counters::beginTask);
        times(4, counters::onOpened);
        times(5, () -> counters.onRead(10));
        times(6, () -> counters.onWrite(100));
        assertEquals(1, stats.getReadyKeys());
        assertEquals(2, stats.getWakeUps());
        assertEquals(3, stats.getTasksRun());
        assertEquals(4, stats.getConnectionsOpened());
        assertEquals(5, stats.getReads());
        assertEquals(50, stats.getBytesRead());
        assertEquals(6, stats.getWrites());
        assertEquals(600, stats.getBytesWritten());
    }

    private static void times(int count, Runnable event) {
        for (int i = 0; i < count; i++) {
            event.run();
        }
    }

    @Test
    void shouldSumUpIterationsAndQueueDelays() {
        for (long nanos : List.of(600L, 700L, 3000L)) {
            counters.beginWork(1);
            counters.endWork(1 + nanos);
        }
        counters.onQueueDelay(5);
        counters.onQueueDelay(6);
        assertEquals(3, stats.getIterations());
        assertEquals(4300, stats.getBusyNanos());
        assertEquals(3000, stats.getLongestIterationNanos());
        assertEquals(3, Arrays.stream(stats.getIterationHistogram()).sum());
        assertEquals(11, stats.getQueueDelayNanos());
        assertEquals(2, Arrays.stream(stats.getQueueDelayHistogram()).sum());
        assertArrayEquals(counters.queueDelays().counts(), stats.getQueueDelayHistogram());
    }

    @Test
    void shouldCountClosesByTheirReason() {
        counters.onClosed(Kind.LOCAL);
        times(2, () -> counters.onClosed(Kind.SHUTDOWN));
        assertEquals(1, stats.getConnectionsClosed().get("LOCAL"));
        assertEquals(2, stats.getConnectionsClosed().get("SHUTDOWN"));
        assertEquals(0, stats.getConnectionsClosed().get("PEER_CLOSED"));
        assertEquals(Kind.values().length, stats.getConnectionsClosed().size());
    }
}
