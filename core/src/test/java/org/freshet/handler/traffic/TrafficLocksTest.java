package org.freshet.handler.traffic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.traffic.AbstractTrafficShapingHandler.SimpleObjectSizeEstimator;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.RefusingTimer;
import org.freshet.util.Timeout;
import org.freshet.util.Timer;
import org.freshet.util.TimerTask;
import org.junit.jupiter.api.Test;

/** A shaper or counter holds no lock while user code runs, such as its timer or overridden getters. */
class TrafficLocksTest {
    private static final long DEADLINE_MILLIS = 5000;

    private final FakeTimer clock = new FakeTimer();
    private final List<String> heldIn = new CopyOnWriteArrayList<>();

    /** Acquires the locks; null while the handler is created. */
    private Runnable locking;

    private boolean isProbing;

    /** Called as user code: another thread must be able to acquire the locks. */
    private void userCode(String what) {
        if (locking == null || isProbing || !heldIn.isEmpty()) {
            return;
        }
        isProbing = true;
        Thread other = new Thread(locking);
        other.setDaemon(true);
        other.start();
        try {
            other.join(DEADLINE_MILLIS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        if (other.isAlive()) {
            heldIn.add(what);
        }
        isProbing = false;
    }

    private final class ProbingTimer implements Timer {
        @Override
        public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
            userCode("newTimeout");
            Timeout timeout = clock.newTimeout(task, delay, unit);
            return new Timeout() {
                @Override
                public Timer getTimer() {
                    return ProbingTimer.this;
                }

                @Override
                public TimerTask getTask() {
                    return task;
                }

                @Override
                public boolean isExpired() {
                    return timeout.isExpired();
                }

                @Override
                public boolean isCancelled() {
                    return timeout.isCancelled();
                }

                @Override
                public void cancel() {
                    userCode("cancel");
                    timeout.cancel();
                }
            };
        }

        @Override
        public long nanoTime() {
            return clock.nanoTime();
        }

        @Override
        public Set<Timeout> stop() {
            return clock.stop();
        }
    }

    private static Object bytes(int count) {
        return ChannelBuffers.wrappedBuffer(new byte[count]);
    }

    @Test
    void shouldNotHoldTheShapersLockWhileATimerOrAGetterRuns() {
        GlobalTrafficShapingHandler handler =
                new GlobalTrafficShapingHandler(
                        new SimpleObjectSizeEstimator(), new ProbingTimer(), 1000, 0, 0, 15_000) {
                    @Override
                    public long getWriteLimit() {
                        userCode("getWriteLimit");
                        return super.getWriteLimit();
                    }

                    @Override
                    public long getMaxTimeWait() {
                        userCode("getMaxTimeWait");
                        return super.getMaxTimeWait();
                    }

                    @Override
                    public long getMaxWriteSize() {
                        userCode("getMaxWriteSize");
                        return super.getMaxWriteSize();
                    }

                    @Override
                    public long getMaxWriteDelay() {
                        userCode("getMaxWriteDelay");
                        return super.getMaxWriteDelay();
                    }
                };
        locking = handler::queuesSize;
        MemoryChannel channel = MemoryChannel.connected(handler);
        channel.write(bytes(500));
        channel.write(bytes(500));
        channel.write(bytes(500));
        clock.advanceMillis(500);
        handler.setWriteLimit(2000);
        handler.releaseExternalResources();
        assertEquals(3, channel.takeWritten().size());
        assertEquals(List.of(), heldIn);
    }

    @Test
    void shouldNotHoldTheCountersLockWhileATimerRuns() {
        GlobalTrafficShapingHandler handler = new GlobalTrafficShapingHandler(
                new SimpleObjectSizeEstimator(), new ProbingTimer(), 0, 0, 1000, 15_000);
        TrafficCounter counter = handler.getTrafficCounter();
        locking = () -> counter.configure(counter.getCheckInterval());
        clock.advanceMillis(1000);
        counter.configure(500);
        counter.stop();
        counter.start();
        counter.stop();
        assertEquals(0, clock.pendingTimeouts());
        assertEquals(List.of(), heldIn);
    }

    @Test
    void shouldNotHoldTheLockOfAPauseWhileATimerRuns() {
        ChannelTrafficShapingHandler handler = new ChannelTrafficShapingHandler(
                new SimpleObjectSizeEstimator(), new ProbingTimer(), 0, 1000, 0, 15_000);
        MemoryChannel channel = MemoryChannel.connected(handler);
        ShapedChannel shaped =
                AbstractTrafficShapingHandler.shaped(channel.getPipeline().getContext(handler));
        locking = shaped.pause::cancel;
        channel.receive(bytes(500));
        clock.advanceMillis(500);
        channel.receive(bytes(500));
        assertEquals(List.of(), heldIn);
    }

    @Test
    void shouldShapeByThePreviousLimitsWhenAGetterThrows() {
        boolean[] isThrowing = new boolean[1];
        GlobalTrafficShapingHandler handler =
                new GlobalTrafficShapingHandler(new SimpleObjectSizeEstimator(), clock, 1000, 0, 0, 15_000) {
                    @Override
                    public long getWriteLimit() {
                        if (isThrowing[0]) {
                            throw new IllegalStateException("thrown on purpose");
                        }
                        return super.getWriteLimit();
                    }
                };
        MemoryChannel channel = MemoryChannel.connected(handler);
        channel.write(bytes(500));
        channel.write(bytes(500));
        assertEquals(1, channel.takeWritten().size());
        isThrowing[0] = true;
        try (CapturedLog log = CapturedLog.start()) {
            channel.write(bytes(500));
            clock.advanceMillis(500);
            assertEquals(1, channel.takeWritten().size());
            clock.advanceMillis(500);
            assertEquals(1, channel.takeWritten().size());
            log.messages(InternalLogLevel.WARN);
        }
    }

    @Test
    void shouldSendQueuedWritesWhenTheTimerRefusesWithAnError() {
        Timer refusing = new RefusingTimer(new NoClassDefFoundError("thrown on purpose"));
        GlobalTrafficShapingHandler handler =
                new GlobalTrafficShapingHandler(new SimpleObjectSizeEstimator(), refusing, 1000, 0, 0, 15_000);
        MemoryChannel channel = MemoryChannel.connected(handler);
        channel.write(bytes(500));
        channel.write(bytes(500));
        assertEquals(2, channel.takeWritten().size());
        assertEquals(0, handler.queuesSize());
    }
}
