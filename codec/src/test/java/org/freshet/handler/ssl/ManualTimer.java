package org.freshet.handler.ssl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.freshet.util.Timeout;
import org.freshet.util.Timer;
import org.freshet.util.TimerTask;

/** A timer whose tasks run when the test says so. For any threads. */
final class ManualTimer implements Timer {
    final Set<Timeout> pending = ConcurrentHashMap.newKeySet();

    @Override
    public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
        assertEquals(10_000, unit.toMillis(delay));
        Timeout timeout = new Timeout() {
            @Override
            public Timer getTimer() {
                return ManualTimer.this;
            }

            @Override
            public TimerTask getTask() {
                return task;
            }

            @Override
            public boolean isExpired() {
                return !pending.contains(this);
            }

            @Override
            public boolean isCancelled() {
                return !pending.contains(this);
            }

            @Override
            public void cancel() {
                pending.remove(this);
            }
        };
        pending.add(timeout);
        return timeout;
    }

    void expire() throws Exception {
        for (Timeout timeout : pending) {
            timeout.cancel();
            timeout.getTask().run(timeout);
        }
    }

    @Override
    public Set<Timeout> stop() {
        return pending;
    }
}
