package org.freshet.handler.traffic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.traffic.AbstractTrafficShapingHandler.SimpleObjectSizeEstimator;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Scarcity;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Shapers, counters and pauses continue after an OutOfMemoryError in their clock, their timer or a channel. */
class ShaperMemoryTest {
    private static final int POINTS = 40;
    private static final int WRITES = 4;
    private static final int BYTES = 2_000;
    private static final int BYTES_PER_SECOND = 40_000;

    private final HashedWheelTimer timer = new HashedWheelTimer(10, TimeUnit.MILLISECONDS);

    @AfterEach
    void stopTimer() {
        timer.stop();
    }

    private static GlobalTrafficShapingHandler shaper(Timer timer, Scarcity ofClock, long writeLimit, long readLimit) {
        return new GlobalTrafficShapingHandler(
                new SimpleObjectSizeEstimator(), ofClock.clock(timer), writeLimit, readLimit, 0, 15_000);
    }

    private static ChannelBuffer bytes(int first) {
        ChannelBuffer buffer = ChannelBuffers.buffer(BYTES);
        buffer.writeByte(first);
        buffer.writeZero(BYTES - 1);
        return buffer;
    }

    private static List<ChannelFuture> write(MemoryChannel channel, int from, int to) {
        List<ChannelFuture> writes = new ArrayList<>();
        for (int i = from; i < to; i++) {
            writes.add(channel.write(bytes(i)));
        }
        return writes;
    }

    private static void assertSentInOrder(MemoryChannel channel, List<ChannelFuture> writes, int last) {
        writes.forEach(write -> Await.until(write::isDone, "a write"));
        Await.until(() -> WriteAccount.waitingBytes(channel) == 0, "the empty account");
        int before = -1;
        for (Object sent : channel.takeWritten()) {
            ChannelBuffer buffer = (ChannelBuffer) sent;
            int number = buffer.getByte(buffer.readerIndex());
            assertTrue(number > before, number + " was sent after " + before);
            before = number;
        }
        assertEquals(last, before);
        assertTrue(channel.isWritable());
    }

    /** Many channels, each with its own shaper; each meets the error at another step. */
    private void assertSendsAllWhereverMemoryRunsOut(ShaperOf shaperOf) {
        List<MemoryChannel> channels = new ArrayList<>();
        List<Scarcity> scarcities = new ArrayList<>();
        List<List<ChannelFuture>> writes = new ArrayList<>();
        for (int point = 0; point < POINTS; point++) {
            Scarcity scarcity = Scarcity.later(point);
            MemoryChannel channel = MemoryChannel.connected(shaperOf.make(scarcity));
            scarcity.begin();
            channels.add(channel);
            scarcities.add(scarcity);
            writes.add(write(channel, 0, WRITES));
        }
        for (int point = 0; point < POINTS; point++) {
            List<ChannelFuture> all = writes.get(point);
            all.forEach(write -> Await.until(write::isDone, "a write"));
            scarcities.get(point).end();
            all.addAll(write(channels.get(point), WRITES, 2 * WRITES));
        }
        for (int point = 0; point < POINTS; point++) {
            assertSentInOrder(channels.get(point), writes.get(point), 2 * WRITES - 1);
        }
    }

    @FunctionalInterface
    private interface ShaperOf {
        AbstractTrafficShapingHandler make(Scarcity scarcity);
    }

    @Test
    void shouldSendAllWhereverItsClockRunsOutOfMemory() {
        assertSendsAllWhereverMemoryRunsOut(scarcity -> shaper(timer, scarcity, BYTES_PER_SECOND, 0));
    }

    @Test
    void shouldSendAllWheneverItsTimerRunsOutOfMemory() {
        assertSendsAllWhereverMemoryRunsOut(
                scarcity -> shaper(scarcity.timer(timer), Scarcity.later(0), BYTES_PER_SECOND, 0));
    }

    @Test
    void shouldSendAllWheneverTheChannelsThreadRefusesATask() {
        for (int point = 0; point < WRITES; point++) {
            Scarcity scarcity = Scarcity.later(point);
            MemoryChannel channel = MemoryChannel.connected(shaper(timer, Scarcity.later(0), BYTES_PER_SECOND, 0))
                    .scarceTasks(scarcity);
            scarcity.begin();
            assertSentInOrder(channel, write(channel, 0, WRITES), WRITES - 1);
        }
    }

    @Test
    void shouldReadAgainWhereverItsClockOrItsTimerRunsOutOfMemory() {
        List<MemoryChannel> channels = new ArrayList<>();
        for (int point = 0; point < 10; point++) {
            Scarcity ofClock = Scarcity.later(point);
            Scarcity ofTimer = Scarcity.later(point);
            MemoryChannel channel = MemoryChannel.connected(shaper(ofTimer.timer(timer), ofClock, 0, BYTES_PER_SECOND));
            (point % 2 == 0 ? ofClock : ofTimer).begin();
            for (int i = 0; i < WRITES; i++) {
                channel.receive(bytes(i));
            }
            channels.add(channel);
        }
        channels.forEach(channel -> Await.until(channel::isReadable, "the end of a pause"));
    }

    @Test
    void shouldCheckAgainAfterItsTimerRanOutOfMemory() {
        CountDownLatch checks = new CountDownLatch(4);
        Scarcity scarcity = new Scarcity(1);
        GlobalTrafficShapingHandler handler = new GlobalTrafficShapingHandler(scarcity.timer(timer), 0, 0, 20) {
            @Override
            protected void doAccounting(TrafficCounter counter) {
                checks.countDown();
            }
        };
        Await.latch(checks, "the fourth check");
        handler.releaseExternalResources();
        assertTrue(scarcity.wasReached());
    }
}
