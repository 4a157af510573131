package org.freshet.testing;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A clock that stands still until a test advances it. Any thread may call this. */
public final class FakeClock {
    private final AtomicLong nanos;
    private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();

    /** Starts shortly before the value overflows, which {@link System#nanoTime} is free to do. */
    public FakeClock() {
        this(Long.MAX_VALUE - Duration.ofMillis(1).toNanos());
    }

    public FakeClock(long startNanos) {
        nanos = new AtomicLong(startNanos);
    }

    public long nanos() {
        return nanos.get();
    }

    /** Advances the clock and wakes threads that wait for the new time. */
    public void advance(Duration step) {
        nanos.addAndGet(step.toNanos());
        waiting.forEach(LockSupport::unpark);
    }

    public void advanceMillis(long millis) {
        advance(Duration.ofMillis(millis));
    }

    /** Blocks until the clock has reached the given time, or until the thread is unparked or interrupted. */
    public void awaitUntil(long untilNanos) {
        Thread caller = Thread.currentThread();
        waiting.add(caller);
        try {
            if (nanos() - untilNanos < 0) {
                LockSupport.park(this);
            }
        } finally {
            waiting.remove(caller);
        }
    }
}
