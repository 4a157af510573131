package org.freshet.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.freshet.util.Timeout;
import org.freshet.util.Timer;
import org.freshet.util.TimerTask;

/**
 * A timer without a thread. {@link #advance} runs the tasks that are due, in order of time, on the caller's thread, and
 * throws what a task throws. Time starts at 0. For one thread only.
 */
public final class FakeTimer implements Timer {
    private final List<FakeTimeout> pending = new ArrayList<>();
    private long nowNanos;
    private boolean stopped;

    private final class FakeTimeout implements Timeout {
        final TimerTask task;
        final long dueNanos;
        boolean expired;
        boolean cancelled;

        FakeTimeout(TimerTask task, long dueNanos) {
            this.task = task;
            this.dueNanos = dueNanos;
        }

        @Override
        public Timer getTimer() {
            return FakeTimer.this;
        }

        @Override
        public TimerTask getTask() {
            return task;
        }

        @Override
        public boolean isExpired() {
            return expired;
        }

        @Override
        public boolean isCancelled() {
            return cancelled;
        }

        @Override
        public void cancel() {
            cancelled |= pending.remove(this);
        }
    }

    @Override
    public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
        if (stopped) {
            throw new IllegalStateException("timer was stopped");
        }
        FakeTimeout timeout = new FakeTimeout(task, nowNanos + Math.max(0, unit.toNanos(delay)));
        pending.add(timeout);
        return timeout;
    }

    @Override
    public Set<Timeout> stop() {
        stopped = true;
        Set<Timeout> leftOver = new HashSet<>(pending);
        pending.clear();
        return leftOver;
    }

    public boolean isStopped() {
        return stopped;
    }

    public int pendingTimeouts() {
        return pending.size();
    }

    public long nanos() {
        return nowNanos;
    }

    @Override
    public long nanoTime() {
        return nowNanos;
    }

    public void advanceMillis(long millis) {
        advance(Duration.ofMillis(millis));
    }

    /** Advances time and stops at each time-out that becomes due on the way; a task sees the time it was due at. */
    public void advance(Duration step) {
        long target = nowNanos + step.toNanos();
        for (FakeTimeout next = nextDue(target); next != null; next = nextDue(target)) {
            nowNanos = Math.max(nowNanos, next.dueNanos);
            pending.remove(next);
            next.expired = true;
            run(next);
        }
        nowNanos = target;
    }

    private FakeTimeout nextDue(long targetNanos) {
        return pending.stream()
                .filter(timeout -> timeout.dueNanos <= targetNanos)
                .min(Comparator.comparingLong(timeout -> timeout.dueNanos))
                .orElse(null);
    }

    private static void run(FakeTimeout timeout) {
        try {
            timeout.task.run(timeout);
        } catch (Exception e) {
            throw new AssertionError("a timer task failed", e);
        }
    }
}
