package org.freshet.handler.traffic;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.freshet.testing.FakeTimer;
import org.freshet.util.Timeout;
import org.freshet.util.Timer;
import org.freshet.util.TimerTask;

/** A timer that runs tasks only at its ticks, like a wheel, so up to a tick late. */
final class LateTimer implements Timer {
    private final FakeTimer exact;
    private final long tickNanos;

    LateTimer(FakeTimer exact, long tickMillis) {
        this.exact = exact;
        this.tickNanos = TimeUnit.MILLISECONDS.toNanos(tickMillis);
    }

    @Override
    public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
        long due = exact.nanos() + unit.toNanos(delay);
        long tick = (due + tickNanos - 1) / tickNanos * tickNanos;
        return exact.newTimeout(task, tick - exact.nanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public long nanoTime() {
        return exact.nanoTime();
    }

    @Override
    public Set<Timeout> stop() {
        return exact.stop();
    }
}
