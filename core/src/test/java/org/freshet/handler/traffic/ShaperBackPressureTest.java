package org.freshet.handler.traffic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.traffic.AbstractTrafficShapingHandler.SimpleObjectSizeEstimator;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

/** When a channel is not writable, and when it is not read. */
class ShaperBackPressureTest extends TrafficShapers {
    // ---- writability ----

    private static long writabilityEvents(MemoryChannel channel) {
        return channel.takeUpstream().stream()
                .filter(e -> e instanceof ChannelStateEvent state && state.getState() == ChannelState.INTEREST_OPS)
                .count();
    }

    @Test
    void shouldReportThatTooManyBytesAreQueued() {
        ChannelTrafficShapingHandler handler = one(1000, 0);
        handler.setMaxWriteSize(1000);
        MemoryChannel channel = MemoryChannel.connected(handler);
        channel.takeUpstream();
        channel.write(bytes(100));
        for (int i = 0; i < 10; i++) {
            channel.write(bytes(100));
            assertTrue(channel.isWritable());
        }
        channel.write(bytes(1));
        assertFalse(channel.isWritable());
        assertFalse(channel.getUserDefinedWritability(1));
        channel.write(bytes(1));
        assertEquals(1, writabilityEvents(channel));
        timer.advanceMillis(500);
        assertFalse(channel.isWritable());
        timer.advanceMillis(200);
        assertTrue(channel.isWritable());
        assertEquals(1, writabilityEvents(channel));
    }

    @Test
    void shouldNotBeFilledByAHandlerThatWritesWheneverTheChannelBecomesWritable() {
        ChannelTrafficShapingHandler handler = one(1000, 0);
        handler.setMaxWriteSize(1000);
        AtomicInteger written = new AtomicInteger();
        MemoryChannel channel = MemoryChannel.connected(handler, new SimpleChannelUpstreamHandler() {
            @Override
            public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
                while (e.getChannel().isWritable() && written.getAndIncrement() < 100) {
                    e.getChannel().write(bytes(100));
                }
            }
        });
        while (channel.isWritable()) {
            channel.write(bytes(100));
        }
        for (int i = 0; i < 100; i++) {
            timer.advanceMillis(100);
            assertTrue(handler.queueSize() <= 1100, () -> "too much is queued: " + handler.queueSize());
        }
        assertTrue(written.get() >= 90, () -> "too little was written: " + written);
    }

    @Test
    void shouldReportThatWritesAreQueuedTooLong() {
        ChannelTrafficShapingHandler handler = one(1000, 0);
        handler.setMaxWriteDelay(2000);
        MemoryChannel channel = MemoryChannel.connected(handler);
        channel.write(bytes(1000));
        channel.write(bytes(1000));
        assertTrue(channel.isWritable());
        channel.write(bytes(1000));
        assertFalse(channel.isWritable());
        timer.advanceMillis(5000);
        assertTrue(channel.isWritable());
    }

    @Test
    void shouldReportThatTooManyBytesOfAllChannelsAreQueued() {
        GlobalTrafficShapingHandler handler = all(1000, 0);
        handler.setMaxGlobalWriteSize(1000);
        MemoryChannel one = MemoryChannel.connected(handler);
        MemoryChannel other = MemoryChannel.connected(handler);
        one.write(bytes(100));
        one.write(bytes(900));
        assertTrue(one.isWritable());
        other.write(bytes(101));
        assertTrue(one.isWritable());
        assertFalse(other.isWritable());
        assertFalse(other.getUserDefinedWritability(2));
        assertEquals(1001, handler.queuesSize());
        timer.advanceMillis(2000);
        assertTrue(other.isWritable());
        assertEquals(0, handler.queuesSize());
    }

    // ---- reading ----

    @Test
    void shouldPauseReadingForAsLongAsTheBytesReadShouldHaveTaken() {
        MemoryChannel channel = MemoryChannel.connected(one(0, 1000));
        channel.receive(bytes(500));
        assertEquals(1, channel.takeReceived().size());
        assertFalse(channel.isReadable());
        timer.advanceMillis(499);
        assertFalse(channel.isReadable());
        channel.receive(bytes(100));
        timer.advanceMillis(1);
        assertFalse(channel.isReadable());
        timer.advanceMillis(100);
        assertTrue(channel.isReadable());
    }

    @Test
    void shouldRespectTheUsersRequestsToReadOrNot() {
        MemoryChannel channel = MemoryChannel.connected(one(0, 1000));
        channel.receive(bytes(500));
        channel.setReadable(false);
        timer.advanceMillis(500);
        assertFalse(channel.isReadable());
        channel.setReadable(true);
        assertTrue(channel.isReadable());
    }

    @Test
    void shouldLetASubclassDecideHowLongToPauseReading() {
        List<Long> waits = new ArrayList<>();
        List<String> told = new ArrayList<>();
        GlobalChannelTrafficShapingHandler handler =
                new GlobalChannelTrafficShapingHandler(
                        new SimpleObjectSizeEstimator(), timer, 0, 0, 0, 1000, 1000, 15_000) {
                    @Override
                    protected long checkWaitReadTime(ChannelHandlerContext ctx, long wait, long now) {
                        waits.add(wait);
                        return wait * 2;
                    }

                    @Override
                    protected void informReadOperation(ChannelHandlerContext ctx, long now) {
                        told.add("read at " + now);
                    }
                };
        timer.advanceMillis(5);
        MemoryChannel channel = MemoryChannel.connected(handler);
        channel.receive(bytes(500));
        timer.advanceMillis(999);
        assertFalse(channel.isReadable());
        timer.advanceMillis(1);
        assertTrue(channel.isReadable());
        assertEquals(List.of(500L), waits);
        assertEquals(List.of("read at 5"), told);
    }
}
