package org.freshet.internal.time;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.freshet.channel.Channel;
import org.freshet.internal.telemetry.LoopCounters;
import org.freshet.internal.telemetry.LoopWatch;
import org.freshet.internal.telemetry.WatchedLoop;
import org.freshet.util.HashedWheelTimer;

/**
 * A program whose heap is full for a second before anything in it has failed once. It prints which of the time-driven
 * threads still work when memory is available again. Injected errors can't show this, because the JVM itself needs
 * memory for code that runs for the first time.
 */
final class FullHeap {
    private static final long FULL_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final AtomicLong alarms = new AtomicLong();
    private static final AtomicLong turns = new AtomicLong();

    /** Each block refers to the previous one. */
    private static Object[] blocks;

    private FullHeap() {}

    public static void main(String[] args) {
        HashedWheelTimer wheel = new HashedWheelTimer(1, TimeUnit.MILLISECONDS);
        startAlarm(null, alarms);
        startAlarm(wheel, turns);
        Loop loop = new Loop();
        LoopWatch.instance().setLimitNanos(TimeUnit.MILLISECONDS.toNanos(10));
        LoopWatch.instance().register(loop);
        boolean isReady = doesGoOn(alarms::get) && doesGoOn(turns::get) && doesGoOn(loop.probes::get);
        fill();
        blocks = null;
        System.out.println("ready=" + isReady + " timer=" + doesGoOn(alarms::get) + " wheel=" + doesGoOn(turns::get)
                + " watch=" + doesGoOn(loop.probes::get));
        System.exit(0);
    }

    private static void startAlarm(HashedWheelTimer timer, AtomicLong count) {
        Alarm[] alarm = new Alarm[1];
        alarm[0] = new Alarm(timer, Runnable::run, () -> {
            count.incrementAndGet();
            alarm[0].set(TimeUnit.MILLISECONDS.toNanos(1));
        });
        alarm[0].set(0);
    }

    /** Other threads release a little now and then, so it is filled repeatedly. */
    private static void fill() {
        long endNanos = 0;
        int size = 64 * 1024;
        while (endNanos == 0 || System.nanoTime() - endNanos < 0) {
            try {
                Object[] block = new Object[size];
                block[0] = blocks;
                blocks = block;
            } catch (OutOfMemoryError e) {
                size = Math.max(1, size / 2);
                if (size == 1 && endNanos == 0) {
                    endNanos = System.nanoTime() + FULL_NANOS;
                }
            }
        }
    }

    private static boolean doesGoOn(LongSupplier count) {
        long before = count.getAsLong();
        long endNanos = System.nanoTime() + PATIENCE_NANOS;
        while (count.getAsLong() == before && System.nanoTime() - endNanos < 0) {
            Thread.onSpinWait();
        }
        return count.getAsLong() != before;
    }

    /** A loop that is never idle, so that the watch submits a task to it at each check. */
    private static final class Loop implements WatchedLoop {
        private final LoopCounters counters = new LoopCounters();
        private final AtomicLong probes = new AtomicLong();

        @Override
        public String role() {
            return "worker";
        }

        @Override
        public Thread thread() {
            return null;
        }

        @Override
        public boolean isWaiting() {
            return false;
        }

        @Override
        public LoopCounters counters() {
            return counters;
        }

        @Override
        public int channelCount() {
            return 0;
        }

        @Override
        public int pendingTasks() {
            return 0;
        }

        @Override
        public Channel channel(int id) {
            return null;
        }

        @Override
        public boolean submit(Runnable task) {
            probes.incrementAndGet();
            task.run();
            return true;
        }
    }
}
