package org.freshet.microbench.util;

import java.util.concurrent.TimeUnit;
import org.freshet.microbench.JvmFlags;
import org.freshet.microbench.Library;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does it cost to schedule and cancel a time-out, as a server does for each request, while {@value #PENDING}
 * others are pending?
 *
 * <p>The timers tick, but none of the time-outs expires. The result is the time of the calling thread. The timer's own
 * thread has a processor for itself if possible: the Nettys leave part of the work to it.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class TimerBenchmark {
    static final int PENDING = 100_000;

    static final int TICK_MILLIS = 10;

    private static final long SOON_MILLIS = 30_000;
    private static final long SPREAD_MILLIS = 60_000;
    private static final long LATER_MILLIS = 600_000;

    @Param
    public Library library;

    private Scheduling timer;

    /** A timer under test. */
    interface Scheduling {
        /** Schedules a time-out that stays pending. */
        void schedule(long delayMillis);

        /** Schedules a time-out, cancels it and returns it. */
        Object scheduleAndCancel(long delayMillis);

        void stop();
    }

    @Setup
    public void fillTimer() {
        timer = switch (library) {
            case FRESHET -> new FreshetScheduling();
            case NETTY3 -> new Netty3Scheduling();
            case NETTY4 -> new Netty4Scheduling();
        };
        for (int i = 0; i < PENDING; i++) {
            timer.schedule(LATER_MILLIS + i % SPREAD_MILLIS);
        }
    }

    @TearDown
    public void stop() {
        timer.stop();
    }

    @Benchmark
    public Object oneThread() {
        return timer.scheduleAndCancel(SOON_MILLIS);
    }

    @Benchmark
    @Threads(2)
    public Object twoThreads() {
        return timer.scheduleAndCancel(SOON_MILLIS);
    }

    private static final class FreshetScheduling implements Scheduling {
        private final org.freshet.util.Timer timer =
                new org.freshet.util.HashedWheelTimer(TICK_MILLIS, TimeUnit.MILLISECONDS);
        private final org.freshet.util.TimerTask task = timeout -> {};

        @Override
        public void schedule(long delayMillis) {
            timer.newTimeout(task, delayMillis, TimeUnit.MILLISECONDS);
        }

        @Override
        public Object scheduleAndCancel(long delayMillis) {
            var timeout = timer.newTimeout(task, delayMillis, TimeUnit.MILLISECONDS);
            timeout.cancel();
            return timeout;
        }

        @Override
        public void stop() {
            timer.stop();
        }
    }

    private static final class Netty3Scheduling implements Scheduling {
        private final org.jboss.netty.util.Timer timer =
                new org.jboss.netty.util.HashedWheelTimer(TICK_MILLIS, TimeUnit.MILLISECONDS);
        private final org.jboss.netty.util.TimerTask task = timeout -> {};

        @Override
        public void schedule(long delayMillis) {
            timer.newTimeout(task, delayMillis, TimeUnit.MILLISECONDS);
        }

        @Override
        public Object scheduleAndCancel(long delayMillis) {
            var timeout = timer.newTimeout(task, delayMillis, TimeUnit.MILLISECONDS);
            timeout.cancel();
            return timeout;
        }

        @Override
        public void stop() {
            timer.stop();
        }
    }

    private static final class Netty4Scheduling implements Scheduling {
        private final io.netty.util.Timer timer =
                new io.netty.util.HashedWheelTimer(TICK_MILLIS, TimeUnit.MILLISECONDS);
        private final io.netty.util.TimerTask task = timeout -> {};

        @Override
        public void schedule(long delayMillis) {
            timer.newTimeout(task, delayMillis, TimeUnit.MILLISECONDS);
        }

        @Override
        public Object scheduleAndCancel(long delayMillis) {
            var timeout = timer.newTimeout(task, delayMillis, TimeUnit.MILLISECONDS);
            timeout.cancel();
            return timeout;
        }

        @Override
        public void stop() {
            timer.stop();
        }
    }
}
