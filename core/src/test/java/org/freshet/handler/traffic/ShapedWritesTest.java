package org.freshet.handler.traffic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.DefaultChannelFuture;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.traffic.AbstractTrafficShapingHandler.SimpleObjectSizeEstimator;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.RefusingTimer;
import org.freshet.util.Timer;
import org.junit.jupiter.api.Test;

class ShapedWritesTest extends TrafficShapers {
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
    void shouldShapeAChannelToWhichItIsAddedLate() {
        MemoryChannel channel = MemoryChannel.connected();
        channel.getPipeline().addFirst("shaping", one(100, 0));
        channel.write(bytes(100));
        assertFalse(channel.write(bytes(100)).isDone());
        timer.advanceMillis(1000);
        assertEquals(2, channel.takeWritten().size());
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
        Timer broken = new RefusingTimer(new UnsupportedOperationException("thrown on purpose"));
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
}
