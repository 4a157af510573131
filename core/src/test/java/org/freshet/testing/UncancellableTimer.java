package org.freshet.testing;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.freshet.util.Timeout;
import org.freshet.util.Timer;
import org.freshet.util.TimerTask;

/** Its timeouts never expire, and throw when they are cancelled. */
public final class UncancellableTimer implements Timer {
    private record Uncancellable(Timer getTimer, TimerTask getTask) implements Timeout {
        @Override
        public boolean isExpired() {
            return false;
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public void cancel() {
            throw new IllegalStateException("thrown on purpose");
        }
    }

    @Override
    public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
        return new Uncancellable(this, task);
    }

    @Override
    public Set<Timeout> stop() {
        return Set.of();
    }
}
