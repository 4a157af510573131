package org.freshet.handler.traffic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.DefaultChannelFuture;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.traffic.AbstractTrafficShapingHandler.SimpleObjectSizeEstimator;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.freshet.util.Timeout;
import org.freshet.util.Timer;
import org.freshet.util.TimerTask;
import org.junit.jupiter.api.Test;

class TrafficShapingTest {
    private final FakeTimer timer = new FakeTimer();

    private ChannelTrafficShapingHandler one(long writeLimit, long readLimit) {
        return new ChannelTrafficShapingHandler(
                new SimpleObjectSizeEstimator(), timer, writeLimit, readLimit, 1000, 15_000);
    }

    private GlobalTrafficShapingHandler all(long writeLimit, long readLimit) {
        return new GlobalTrafficShapingHandler(
                new SimpleObjectSizeEstimator(), timer, writeLimit, readLimit, 1000, 15_000);
    }

    private GlobalChannelTrafficShapingHandler each(long writeEach, long readEach) {
        return new GlobalChannelTrafficShapingHandler(
                new SimpleObjectSizeEstimator(), timer, 0, 0, writeEach, readEach, 1000, 15_000);
    }

    private static ChannelBuffer bytes(int count) {
        return ChannelBuffers.wrappedBuffer(new byte[count]);
    }

    // ---- writing ----

    @Test
    void shouldPassTheFirstWriteAndDelayTheNext() {
        ChannelTrafficShapingHandler handler = one(1000, 0);
        MemoryChannel channel = MemoryChannel.connected(handler);
        ChannelBuffer first = bytes(500);
        ChannelBuffer second = bytes(100);
        channel.write(first);
        ChannelFuture future = channel.write(second);
        assertEquals(List.of(first), channel.takeWritten());
        assertEquals(100, handler.queueSize());
        timer.advanceMillis(489);
        assertFalse(future.isDone());
        timer.advanceMillis(11);
        assertEquals(List.of(second), channel.takeWritten());
        assertTrue(future.isSuccess());
        assertEquals(0, handler.queueSize());
    }

    @Test
    void shouldShapeWritesThatPrecedeTheConnectedEvent() {
        MemoryChannel channel = MemoryChannel.open(one(1000, 0));
        channel.write(bytes(500));
        channel.write(bytes(500));
        assertEquals(1, channel.takeWritten().size());
        timer.advanceMillis(500);
        assertEquals(1, channel.takeWritten().size());
    }

    @Test
    void shouldPassEverythingWithoutLimits() {
        MemoryChannel channel = MemoryChannel.connected(one(0, 0));
        for (int i = 0; i < 100; i++) {
            channel.write(bytes(1_000_000));
            channel.receive(bytes(1_000_000));
        }
        assertEquals(100, channel.takeWritten().size());
        assertTrue(channel.isReadable());
    }

    @Test
    void shouldKeepTheOrderOfWrites() {
        MemoryChannel channel = MemoryChannel.connected(one(1000, 0));
        List<Object> expected = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            ChannelBuffer message = ChannelBuffers.wrappedBuffer(new byte[i + 1]);
            expected.add(message);
            channel.write(message);
            timer.advanceMillis(i % 7);
        }
        timer.advanceMillis(5000);
        List<Object> written = channel.takeWritten();
        assertEquals(expected.size(), written.size());
        for (int i = 0; i < expected.size(); i++) {
            assertSame(expected.get(i), written.get(i));
        }
    }

    @Test
    void shouldNotDelayTheNextForLongerThanTheMaximum() {
        ChannelTrafficShapingHandler handler = one(1, 0);
        handler.setMaxTimeWait(2000);
        MemoryChannel channel = MemoryChannel.connected(handler);
        channel.write(bytes(1000));
        channel.write(bytes(1000));
        channel.write(bytes(1000));
        timer.advanceMillis(2000);
        assertEquals(2, channel.takeWritten().size());
        timer.advanceMillis(2000);
        assertEquals(1, channel.takeWritten().size());
    }

    @Test
    void shouldApplyANewLimitToQueuedWrites() {
        ChannelTrafficShapingHandler handler = one(100, 0);
        MemoryChannel channel = MemoryChannel.connected(handler);
        for (int i = 0; i < 11; i++) {
            channel.write(bytes(100));
        }
        timer.advanceMillis(1000);
        assertEquals(2, channel.takeWritten().size());
        handler.configure(1000, 0);
        timer.advanceMillis(1500);
        assertEquals(6, channel.takeWritten().size());
        handler.setWriteLimit(0);
        assertEquals(3, channel.takeWritten().size());
    }

    @Test
    void shouldFailWhatWaitsWhenTheChannelCloses() {
        for (AbstractTrafficShapingHandler handler : List.of(one(10, 0), all(10, 0), each(10, 0))) {
            MemoryChannel channel = MemoryChannel.connected(handler);
            channel.write(bytes(100));
            ChannelFuture waiting = channel.write(bytes(100));
            ChannelFuture behind = channel.write(bytes(100));
            assertFalse(waiting.isDone());
            channel.close();
            assertInstanceOf(ClosedChannelException.class, Await.failure(waiting, "a write that waits"));
            assertInstanceOf(ClosedChannelException.class, Await.failure(behind, "the next"));
            assertInstanceOf(ClosedChannelException.class, Await.failure(channel.write(bytes(1)), "a late write"));
            assertEquals(0, handler.writes().totalBytes());
        }
    }

    @Test
    void shouldSendQueuedWritesWhenItIsRemoved() {
        ChannelTrafficShapingHandler handler = one(10, 10);
        MemoryChannel channel = MemoryChannel.connected(handler);
        handler.setMaxWriteSize(50);
        channel.write(bytes(100));
        ChannelFuture waiting = channel.write(bytes(100));
        channel.receive(bytes(100));
        assertFalse(channel.isReadable());
        assertFalse(channel.isWritable());
        channel.getPipeline().remove(handler);
        assertTrue(waiting.isSuccess());
        assertTrue(channel.isReadable());
        assertTrue(channel.isWritable());
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldLeaveNoTimeoutWhenTheChannelCloses() {
        MemoryChannel channel = MemoryChannel.connected(one(10, 10));
        channel.write(bytes(100));
        channel.write(bytes(100));
        channel.receive(bytes(100));
        assertEquals(3, timer.pendingTimeouts(), "for queued writes, for resuming reads, and for the counter");
        channel.close();
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldShapeAChannelToWhichItIsAddedLate() {
        MemoryChannel channel = MemoryChannel.connected();
        channel.getPipeline().addFirst("shaping", one(100, 0));
        channel.write(bytes(100));
        assertFalse(channel.write(bytes(100)).isDone());
        timer.advanceMillis(1000);
        assertEquals(2, channel.takeWritten().size());
    }

    @Test
    void shouldSendQueuedWritesWhenItIsReleased() {
        for (AbstractTrafficShapingHandler handler : List.of(one(10, 10), all(10, 10), each(10, 10))) {
            MemoryChannel channel = MemoryChannel.connected(handler);
            channel.write(bytes(100));
            ChannelFuture waiting = channel.write(bytes(100));
            if (handler instanceof GlobalChannelTrafficShapingHandler global) {
                global.release();
                assertFalse(timer.isStopped());
                assertTrue(waiting.isSuccess());
            }
        }
        ChannelTrafficShapingHandler handler = one(10, 10);
        MemoryChannel channel = MemoryChannel.connected(handler);
        channel.write(bytes(100));
        ChannelFuture waiting = channel.write(bytes(100));
        handler.releaseExternalResources();
        assertFalse(timer.isStopped(), "others may use the timer");
        assertTrue(waiting.isSuccess());
        assertTrue(channel.write(bytes(100)).isSuccess(), "nothing can wait any more");
        channel.receive(bytes(100));
        assertTrue(channel.isReadable());
    }

    @Test
    void shouldResumeReadingWhenItIsReleased() {
        for (boolean shared : new boolean[] {false, true}) {
            FakeTimer own = new FakeTimer();
            AbstractTrafficShapingHandler handler =
                    shared ? new GlobalTrafficShapingHandler(own, 0, 10) : new ChannelTrafficShapingHandler(own, 0, 10);
            MemoryChannel channel = MemoryChannel.connected(handler);
            channel.receive(bytes(100));
            assertFalse(channel.isReadable());
            handler.releaseExternalResources();
            assertTrue(channel.isReadable());
        }
    }

    @Test
    void shouldPassEverythingOfAChannelThatOpensAfterTheTimerWasStopped() {
        timer.stop();
        MemoryChannel channel;
        try (CapturedLog log = CapturedLog.start()) {
            channel = MemoryChannel.connected(one(10, 10));
            assertEquals(InternalLogLevel.WARN, log.only().level());
        }
        assertEquals(List.of(), channel.takeCaught());
        assertTrue(channel.write(bytes(100)).isSuccess());
        assertTrue(channel.write(bytes(100)).isSuccess());
        channel.receive(bytes(100));
        assertTrue(channel.isReadable());
        channel.close();
        assertEquals(List.of(), channel.takeCaught());
    }

    @Test
    void shouldContinueToShapeEvenIfASubclassThrowsWhileAccounting() {
        ChannelTrafficShapingHandler handler =
                new ChannelTrafficShapingHandler(new SimpleObjectSizeEstimator(), timer, 10, 0, 1000, 15_000) {
                    @Override
                    protected void doAccounting(TrafficCounter counter) {
                        throw new IllegalStateException("thrown on purpose");
                    }
                };
        MemoryChannel channel = MemoryChannel.connected(handler);
        channel.write(bytes(100));
        ChannelFuture waiting = channel.write(bytes(100));
        try (CapturedLog log = CapturedLog.start()) {
            timer.advanceMillis(2000);
            assertEquals(2000, handler.getTrafficCounter().getLastTime());
            channel.close();
            assertEquals(3, log.messages(InternalLogLevel.WARN).size());
        }
        assertInstanceOf(ClosedChannelException.class, waiting.getCause());
        assertEquals(List.of(), channel.takeCaught());
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldSendWritesAfterOneWhoseFutureThrows() {
        ChannelTrafficShapingHandler handler =
                new ChannelTrafficShapingHandler(new SimpleObjectSizeEstimator(), timer, 1000, 0, 1000, 15_000) {
                    @Override
                    protected void internalSubmitWrite(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
                        if (e.getMessage().equals("bad")) {
                            throw new IllegalStateException("thrown on purpose");
                        }
                        super.internalSubmitWrite(ctx, e);
                    }
                };
        MemoryChannel channel = MemoryChannel.connected(handler);
        ChannelFuture throwing = new DefaultChannelFuture(channel, false) {
            @Override
            public boolean setFailure(Throwable cause) {
                throw new IllegalStateException("thrown on purpose");
            }
        };
        try (CapturedLog log = CapturedLog.start()) {
            channel.getPipeline().sendDownstream(new DownstreamMessageEvent(channel, throwing, "bad", null));
            assertEquals(InternalLogLevel.WARN, log.only().level());
        }
        ChannelFuture next = channel.write(bytes(10));
        timer.advanceMillis(15_000);
        Await.success(next, "the next write");
    }

    @Test
    void shouldNotKeepWritesThatATimerFailsToDelay() {
        Timer broken = new Timer() {
            @Override
            public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
                throw new UnsupportedOperationException("thrown on purpose");
            }

            @Override
            public Set<Timeout> stop() {
                return Set.of();
            }
        };
        GlobalTrafficShapingHandler handler = new GlobalTrafficShapingHandler(broken, 10, 10, 0);
        MemoryChannel channel = MemoryChannel.connected(handler);
        for (int i = 0; i < 5; i++) {
            Await.success(channel.write(bytes(100)), "a write");
        }
        channel.receive(bytes(100));
        assertTrue(channel.isReadable());
    }

    /** The handler's lock is not held at that point: another thread closes the channel. */
    @Test
    void shouldAccountWithoutALock() {
        CountDownLatch closed = new CountDownLatch(1);
        ChannelTrafficShapingHandler handler =
                new ChannelTrafficShapingHandler(new SimpleObjectSizeEstimator(), timer, 10, 0, 1000, 15_000) {
                    @Override
                    protected void doAccounting(TrafficCounter counter) {
                        if (closed.getCount() > 0) {
                            Thread other = new Thread(() -> {
                                configure(0);
                                closed.countDown();
                            });
                            other.start();
                            Await.end(other);
                        }
                    }
                };
        MemoryChannel channel = MemoryChannel.connected(handler);
        channel.close();
        Await.latch(closed, "the configuration by another thread");
    }

    @Test
    void shouldKeepALinkBusyForAnySizesAndClockValues() {
        for (long now : new long[] {0, -1, Long.MAX_VALUE - 1, Long.MIN_VALUE}) {
            Pace pace = new Pace(now);
            for (int i = 0; i < 10; i++) {
                pace.occupy(Long.MAX_VALUE, 1, Long.MAX_VALUE, now, 0);
                assertTrue(pace.waitNanos(now) > 0, "at " + now + " after " + (i + 1));
            }
        }
    }

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

    // ---- hooks for writing ----

    @Test
    void shouldPassQueuedAndSentWritesToSubclasses() {
        List<Long> delays = new ArrayList<>();
        List<Object> passed = new ArrayList<>();
        ChannelTrafficShapingHandler handler =
                new ChannelTrafficShapingHandler(new SimpleObjectSizeEstimator(), timer, 1000, 0, 1000, 15_000) {
                    @Override
                    protected void submitWrite(ChannelHandlerContext ctx, MessageEvent e, long delay) throws Exception {
                        delays.add(delay);
                        super.submitWrite(ctx, e, delay);
                    }

                    @Override
                    protected void internalSubmitWrite(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
                        passed.add(e.getMessage());
                        super.internalSubmitWrite(ctx, e);
                    }
                };
        MemoryChannel channel = MemoryChannel.connected(handler);
        channel.write(bytes(100));
        channel.write(bytes(100));
        channel.write(bytes(100));
        timer.advanceMillis(300);
        assertEquals(List.of(100L, 200L), delays);
        assertEquals(channel.takeWritten(), passed);
    }

    @Test
    void shouldFailAWriteThatASubclassCannotPass() {
        IllegalStateException thrown = new IllegalStateException("meant");
        ChannelTrafficShapingHandler handler =
                new ChannelTrafficShapingHandler(new SimpleObjectSizeEstimator(), timer, 0, 0, 1000, 15_000) {
                    @Override
                    protected void internalSubmitWrite(ChannelHandlerContext ctx, MessageEvent e) {
                        throw thrown;
                    }
                };
        assertSame(thrown, Await.failure(MemoryChannel.connected(handler).write(bytes(1)), "the write"));
    }

    // ---- settings ----

    @Test
    void shouldReturnItsSettings() {
        GlobalChannelTrafficShapingHandler handler =
                new GlobalChannelTrafficShapingHandler(timer, 1, 2, 3, 4, 500, 6000);
        assertEquals(
                List.of(1L, 2L, 3L, 4L, 500L, 6000L),
                List.of(
                        handler.getWriteLimit(),
                        handler.getReadLimit(),
                        handler.getWriteChannelLimit(),
                        handler.getReadChannelLimit(),
                        handler.getCheckInterval(),
                        handler.getMaxTimeWait()));
        handler.configure(11, 12, 13);
        handler.configureChannel(14, 15);
        assertEquals(
                List.of(11L, 12L, 13L, 14L, 15L),
                List.of(
                        handler.getWriteLimit(),
                        handler.getReadLimit(),
                        handler.getCheckInterval(),
                        handler.getWriteChannelLimit(),
                        handler.getReadChannelLimit()));
        handler.setReadLimit(16);
        handler.setReadChannelLimit(17);
        handler.setMaxWriteDelay(18);
        assertEquals(
                List.of(16L, 17L, 18L, 4L << 20, 400L << 20),
                List.of(
                        handler.getReadLimit(),
                        handler.getReadChannelLimit(),
                        handler.getMaxWriteDelay(),
                        handler.getMaxWriteSize(),
                        handler.getMaxGlobalWriteSize()));
        handler.release();
    }

    @Test
    void shouldKnowTheFactorsOfDeviation() {
        GlobalChannelTrafficShapingHandler handler = each(0, 0);
        assertEquals(List.of(0.1f, 1.4f, 0.9f), factors(handler));
        handler.setMaxDeviation(0.2f, 0.3f, -0.15f);
        assertEquals(List.of(0.2f, 1.3f, 0.85f), factors(handler));
        assertThrows(IllegalArgumentException.class, () -> handler.setMaxDeviation(0.41f, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> handler.setMaxDeviation(0.1f, -0.1f, 0));
        assertThrows(IllegalArgumentException.class, () -> handler.setMaxDeviation(0.1f, 0, 0.1f));
        assertThrows(IllegalArgumentException.class, () -> handler.setMaxDeviation(0.1f, 0, -1));
    }

    private static List<Float> factors(GlobalChannelTrafficShapingHandler handler) {
        return List.of(handler.maxDeviation(), handler.slowDownFactor(), handler.accelerationFactor());
    }

    @Test
    void shouldRefuseInvalidSettings() {
        ChannelTrafficShapingHandler handler = new ChannelTrafficShapingHandler(timer);
        assertThrows(IllegalArgumentException.class, () -> handler.setMaxTimeWait(0));
        assertThrows(IllegalArgumentException.class, () -> handler.setMaxWriteDelay(0));
        assertThrows(IllegalArgumentException.class, () -> handler.setMaxWriteSize(-1));
        assertThrows(IllegalArgumentException.class, () -> all(0, 0).setMaxGlobalWriteSize(0));
        assertThrows(IllegalArgumentException.class, () -> new ChannelTrafficShapingHandler(timer, 0, 0, 0, 0));
        assertThrows(NullPointerException.class, () -> new ChannelTrafficShapingHandler(null));
        assertNull(handler.getTrafficCounter());
        MemoryChannel.connected(handler);
        assertNotNull(handler.getTrafficCounter());
    }
}
