package org.freshet.handler.traffic;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.handler.traffic.AbstractTrafficShapingHandler.SimpleObjectSizeEstimator;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrafficCounterTest {
    private final FakeTimer timer = new FakeTimer();
    private final List<TrafficCounter> accounted = new ArrayList<>();

    private GlobalTrafficShapingHandler handler(long writeLimit) {
        return new GlobalTrafficShapingHandler(new SimpleObjectSizeEstimator(), timer, writeLimit, 0, 1000, 15_000) {
            @Override
            protected void doAccounting(TrafficCounter counter) {
                accounted.add(counter);
            }
        };
    }

    private static Object bytes(int count) {
        return ChannelBuffers.wrappedBuffer(new byte[count]);
    }

    @Test
    void shouldCountEveryByteAndReportEachInterval() {
        GlobalTrafficShapingHandler handler = handler(1000);
        TrafficCounter counter = handler.getTrafficCounter();
        MemoryChannel channel = MemoryChannel.connected(handler);
        channel.receive(bytes(300));
        channel.receive(bytes(7));
        channel.write(bytes(600));
        channel.write(bytes(500));
        channel.write(bytes(400));
        timer.advanceMillis(500);
        assertEquals(307, counter.getCurrentReadBytes());
        assertEquals(1500, counter.getCurrentWrittenBytes());
        assertEquals(600, counter.getRealWrittenBytes().get());
        assertEquals(List.of(), accounted);
        timer.advanceMillis(500);
        assertEquals(List.of(counter), accounted);
        assertEquals(0, counter.getCurrentReadBytes());
        assertEquals(0, counter.getCurrentWrittenBytes());
        assertEquals(307, counter.getLastReadBytes());
        assertEquals(1500, counter.getLastWrittenBytes());
        assertEquals(307, counter.getLastReadThroughput());
        assertEquals(1500, counter.getLastWriteThroughput());
        assertEquals(1100, counter.getRealWriteThroughput());
        assertEquals(1000, counter.getLastTime());
        channel.receive(bytes(1));
        timer.advanceMillis(2000);
        assertEquals(0, counter.getLastReadBytes());
        assertEquals(308, counter.getCumulativeReadBytes());
        assertEquals(1500, counter.getCumulativeWrittenBytes());
        counter.resetCumulativeTime();
        assertEquals(0, counter.getCumulativeReadBytes());
        assertEquals(0, counter.getCumulativeWrittenBytes());
        assertTrue(counter.getLastCumulativeTime() <= System.currentTimeMillis());
    }

    @Test
    void shouldCheckWhenConfiguredAndNotAfterItStopped() {
        GlobalTrafficShapingHandler handler = handler(0);
        TrafficCounter counter = handler.getTrafficCounter();
        handler.configure(100);
        assertEquals(100, counter.getCheckInterval());
        timer.advanceMillis(1000);
        assertEquals(10, accounted.size());
        handler.configure(0);
        timer.advanceMillis(1000);
        assertEquals(10, accounted.size());
        handler.configure(500);
        timer.advanceMillis(500);
        assertEquals(11, accounted.size());
        counter.stop();
        assertEquals(12, accounted.size(), "a last check");
        counter.stop();
        timer.advanceMillis(5000);
        assertEquals(12, accounted.size());
        assertEquals(0, timer.pendingTimeouts());
        counter.start();
        counter.start();
        assertEquals(1, timer.pendingTimeouts());
    }

    @Test
    void shouldCountEachChannelToo() {
        GlobalChannelTrafficShapingHandler handler = new GlobalChannelTrafficShapingHandler(
                new SimpleObjectSizeEstimator(), timer, 0, 0, 0, 0, 1000, 15_000);
        MemoryChannel one = MemoryChannel.connected(handler);
        MemoryChannel other = MemoryChannel.connected(handler);
        one.write(bytes(10));
        other.write(bytes(20));
        one.receive(bytes(3));
        assertEquals(2, handler.channelTrafficCounters().size());
        assertEquals(30, handler.getTrafficCounter().getCumulativeWrittenBytes());
        assertEquals(20, handler.maximumCumulativeWrittenBytes());
        assertEquals(3, handler.maximumCumulativeReadBytes());
        timer.advanceMillis(1000);
        assertEquals(
                30,
                handler.channelTrafficCounters().stream()
                        .mapToLong(TrafficCounter::getLastWrittenBytes)
                        .sum());
        handler.setCheckInterval(77);
        assertTrue(handler.channelTrafficCounters().stream().allMatch(c -> c.getCheckInterval() == 77));
        handler.getTrafficCounter().resetCumulativeTime();
        assertEquals(0, handler.maximumCumulativeWrittenBytes());
        one.close();
        assertEquals("ChannelTC" + other.getId(), onlyName(handler));
        assertThrows(NullPointerException.class, () -> new GlobalChannelTrafficCounter(handler, null, "x", 1));
    }

    private static String onlyName(GlobalChannelTrafficShapingHandler handler) {
        assertEquals(1, handler.channelTrafficCounters().size());
        return handler.channelTrafficCounters().iterator().next().getName();
    }

    @Test
    void shouldReturnHowLongToWait() {
        TrafficCounter counter = new TrafficCounter(handler(0), timer, "mine", 0);
        assertEquals("mine", counter.getName());
        assertEquals(0, counter.writeTimeToWait(500, 1000, 15_000, 0));
        assertEquals(500, counter.writeTimeToWait(500, 1000, 15_000, 0));
        assertEquals(900, counter.writeTimeToWait(500, 1000, 15_000, 100));
        assertEquals(0, counter.writeTimeToWait(500, 0, 15_000, 100));
        assertEquals(500, counter.readTimeToWait(500, 1000, 15_000, 0));
        assertEquals(900, counter.readTimeToWait(500, 1000, 15_000, 100));
        assertEquals(1900, counter.readTimeToWait(50_000_000, 1000, 1000, 100));
        assertEquals(0, counter.readTimeToWait(500, 0, 15_000));
        assertEquals(2000, counter.getCumulativeWrittenBytes());
        assertEquals(50_001_500, counter.getCumulativeReadBytes());
    }

    @Test
    void shouldEstimateMessageSizes(@TempDir Path directory) throws IOException {
        FileChannel file = FileChannel.open(directory.resolve("file"), CREATE, READ, WRITE);
        SimpleObjectSizeEstimator estimator = new SimpleObjectSizeEstimator();
        assertEquals(5, estimator.estimateSize(bytes(5)));
        assertEquals(7, estimator.estimateSize(new DefaultFileRegion(file, 0, 7)));
        assertEquals(Integer.MAX_VALUE, estimator.estimateSize(new DefaultFileRegion(file, 0, 1L << 40)));
        assertEquals(1L << 40, handler(0).calculateSize(new DefaultFileRegion(file, 0, 1L << 40)));
        assertTrue(estimator.estimateSize("text") > 0);
        file.close();
    }
}
